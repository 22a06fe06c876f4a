import { CopyButton } from '#web/ui/copy-button.tsx'

/** A new key's token, the only time that anyone sees it. */
export function TokenBox({ token }: { readonly token: string }) {
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-gold/50 bg-gold-soft p-4">
      <code className="font-mono text-sm break-all">{token}</code>
      <CopyButton text={token} label="Copy key" look="primary" className="self-start" />
    </div>
  )
}
