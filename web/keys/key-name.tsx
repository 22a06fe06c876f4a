import type { ApiKeyRecord } from '#contract/keys.ts'

/** A key's name, with the hint that identifies its token without giving it away. */
export function KeyName({ apiKey }: { readonly apiKey: Pick<ApiKeyRecord, 'name' | 'hint'> }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="font-medium break-words">{apiKey.name}</span>
      <code className="font-mono text-xs font-normal text-muted">{apiKey.hint}</code>
    </span>
  )
}
