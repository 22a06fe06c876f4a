import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TextArea } from '#web/ui/text-area.tsx'

export type ComposerProps = {
  readonly isBusy: boolean
  readonly onSend: (content: string) => void
  readonly onStop: () => void
}

/** Where the next message is written. Enter sends it; with Shift it begins a new line. */
export function Composer({ isBusy, onSend, onStop }: ComposerProps) {
  const [content, setContent] = useState('')
  const send = () => {
    if (isBusy || content.trim() === '') return
    onSend(content.trim())
    setContent('')
  }
  const sendOnEnter = (event: KeyboardEvent) => {
    // While a composed character is being chosen, Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="flex items-end gap-2 border-t border-line p-3"
      onSubmit={event => {
        event.preventDefault()
        send()
      }}
    >
      <TextArea
        label="Message"
        hideLabel
        placeholder="Say something …"
        rows={1}
        value={content}
        onValueChange={setContent}
        onKeyDown={sendOnEnter}
      />
      {isBusy ? (
        <Button size="icon" aria-label="Stop" onClick={onStop}>
          <Square className="size-4 fill-current" aria-hidden="true" />
        </Button>
      ) : (
        <Button
          look="primary"
          size="icon"
          type="submit"
          aria-label="Send"
          disabled={content.trim() === ''}
          focusableWhenDisabled
        >
          <ArrowUp className="size-5" aria-hidden="true" />
        </Button>
      )}
    </form>
  )
}
