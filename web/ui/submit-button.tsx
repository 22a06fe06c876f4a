import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './button.tsx'

export type SubmitButtonProps = {
  readonly look?: ButtonProps['look']
  /** Whether what was sent is on its way. */
  readonly pending: boolean
  /** Whether something else has to be decided first. */
  readonly disabled?: boolean
  /** What it does, as a verb: 'Make key'. */
  readonly children: ReactNode
}

/** Sends the form at whose end it stands. */
export function SubmitButton({ look = 'primary', pending, disabled, children }: SubmitButtonProps) {
  return (
    <div className="flex justify-end">
      <Button look={look} type="submit" pending={pending} disabled={disabled}>
        {children}
      </Button>
    </div>
  )
}
