import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'

export type SubmitButtonProps = {
  readonly look?: ButtonProps['look']
  /** Whether what was sent is on its way. */
  readonly pending: boolean
  /** What it does, as a verb: 'Make key'. */
  readonly children: ReactNode
}

/** Sends the form at whose end it stands. */
export function SubmitButton({ look = 'primary', pending, children }: SubmitButtonProps) {
  return (
    <div className="flex justify-end">
      <Button look={look} type="submit" pending={pending}>
        {children}
      </Button>
    </div>
  )
}
