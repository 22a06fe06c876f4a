import { CopyButton } from '#web/ui/copy-button.tsx'
import { Panel } from '#web/ui/panel.tsx'

/** How to pay an invoice, in the operator's words. */
export function InvoiceInstructions({ text }: { readonly text: string }) {
  return (
    <Panel title="How to pay" action={<CopyButton text={text} label="Copy instructions" />}>
      <p className="text-sm break-words whitespace-pre-wrap">{text}</p>
      <p className="mt-4 text-sm text-muted">
        The credits are yours when the operator has seen the money. You can close this page.
      </p>
    </Panel>
  )
}
