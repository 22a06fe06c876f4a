import { Fragment } from 'react'

/** Text with names of code between backticks, as the document writes it. */
export function WrittenText({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <code
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        key={index}
        className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.875em] break-words text-ink"
      >
        {part}
      </code>
    ),
  )
}
