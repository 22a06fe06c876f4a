import { Download } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'

export type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onDone: () => void }

/** New recovery codes, the only time that anyone sees them, with the ways to take them along. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-4 rounded-lg border border-gold/50 bg-gold-soft p-4">
        <ul aria-label="Recovery codes" className="grid gap-x-6 gap-y-1.5 font-mono text-sm sm:grid-cols-2">
          {codes.map(code => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={codes.join('\n')} label="Copy codes" look="primary" />
          <Button size="small" onClick={() => download(codes)}>
            <Download className="size-4" aria-hidden="true" />
            Download
          </Button>
        </div>
      </div>
      <p className="text-sm text-muted">
        Each code signs you in once when you do not have the app at hand. Keep them where you find them
        without your phone.
      </p>
      <div className="flex justify-end">
        <Button onClick={onDone}>I have kept the codes</Button>
      </div>
    </div>
  )
}

/** Hands them to the browser as a file; they go nowhere else. */
function download(codes: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'goldweight-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}
