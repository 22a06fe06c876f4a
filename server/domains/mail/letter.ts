/** What a mail says, in a shape that can be shown as plain text and as HTML. */
export type Letter = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The one thing to do, if there is one. */
  readonly action?: { readonly label: string; readonly url: string }
  /** Said after the action. */
  readonly closing?: readonly string[]
}

export type RenderedLetter = { readonly subject: string; readonly text: string; readonly html: string }

/** A letter of the service of that name, as both of the texts that a mail carries. Everything is taken as plain text. */
export function renderLetter(
  { subject, paragraphs, action, closing = [] }: Letter,
  service: string,
): RenderedLetter {
  const text = [
    ...paragraphs,
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...closing,
    `-- \n${service}`,
  ]
  return {
    // A line break would end the header.
    subject: subject.replace(/\s+/g, ' '),
    text: `${text.join('\n\n')}\n`,
    html: page(service, [
      ...paragraphs.map(paragraph),
      ...(action ? [button(action)] : []),
      ...closing.map(paragraph),
    ]),
  }
}

function page(service: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>
<body style="margin:0;padding:32px 16px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:480px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:600">${escapeHtml(service)}</p>
${parts.join('\n')}
</div>
</body>
</html>
`
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
}

/** The address stands below its button in full, for those whose mail program shows no links. */
function button({ label, url }: NonNullable<Letter['action']>): string {
  const href = escapeHtml(url)
  return `<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:10px 20px;border-radius:8px;background:#7a5b12;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all">${href}</p>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character] ?? '')
}
