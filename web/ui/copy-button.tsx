import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { notifyFailure } from './toast.tsx'

const SHOWN_MS = 2_000

export type CopyButtonProps = Pick<ButtonProps, 'look' | 'size' | 'className'> & {
  readonly text: string
  /** What is copied, for its name: 'Copy key'. */
  readonly label: string
  readonly onCopied?: () => void
}

/** Puts a text on the clipboard by one click, and says that it did. */
export function CopyButton({ text, label, onCopied, size = 'small', ...button }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      onCopied?.()
    } catch {
      notifyFailure('The browser did not allow copying', 'Select the text and copy it by hand.')
    }
  }
  const Icon = copied ? Check : Copy
  return (
    <Button {...button} size={size} onClick={() => void copy()}>
      <Icon className="size-4" aria-hidden="true" />
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}
