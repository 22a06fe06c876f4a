import { expect, test } from 'vitest'
import { renderLetter } from './letter.ts'

const LETTER = {
  subject: 'Hello\r\nBcc: everybody@example.org',
  paragraphs: ['Dear <b>Ada</b> & co.', 'a second'],
  action: { label: 'Open', url: 'https://gold.example/portal/verify#token=a"b' },
  closing: ['Bye'],
}

test('a letter says the same in plain text and in HTML', () => {
  const { text, html } = renderLetter(LETTER, 'Acme & Co')
  expect(text).toBe(
    'Dear <b>Ada</b> & co.\n\na second\n\nOpen:\nhttps://gold.example/portal/verify#token=a"b\n\nBye\n\n-- \nAcme & Co\n',
  )
  for (const part of ['a second', '>Open</a>', 'Bye', '>Acme &amp; Co</p>']) expect(html).toContain(part)
})

test('what people wrote is never markup', () => {
  const { html } = renderLetter(LETTER, 'Acme')
  expect(html).toContain('Dear &lt;b&gt;Ada&lt;/b&gt; &amp; co.')
  expect(html).toContain('#token=a&quot;b')
})

test('a subject is one line', () => {
  expect(renderLetter(LETTER, 'Acme').subject).toBe('Hello Bcc: everybody@example.org')
})
