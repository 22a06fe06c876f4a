import { Code } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { chatSamples, type SampleMessage } from '../request-samples.ts'

export type RequestCodeDialogProps = {
  readonly model: string
  readonly messages: readonly SampleMessage[]
}

/** The conversation as a request to send from a program. */
export function RequestCodeDialog({ model, messages }: RequestCodeDialogProps) {
  const [open, setOpen] = useState(false)
  const request = { origin: location.origin, model, ...(messages.length === 0 ? {} : { messages }) }
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Code className="size-4" aria-hidden="true" />
        Get the code
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="This request as code"
        description="With the key in an environment variable, where it belongs."
      >
        <CodeBlock label="This request" samples={chatSamples(request)} />
      </Dialog>
    </>
  )
}
