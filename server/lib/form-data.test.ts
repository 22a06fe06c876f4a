import { expect, test } from 'vitest'
import { boundaryOf, scanForm } from './form-data.ts'

async function encode(form: FormData): Promise<{ bytes: Buffer; boundary: string }> {
  const response = new Response(form)
  const boundary = boundaryOf(response.headers.get('content-type') ?? '')
  return { bytes: Buffer.from(await response.arrayBuffer()), boundary: boundary ?? '' }
}

function readParts(bytes: Buffer, boundary: string) {
  return scanForm(bytes, boundary)?.map(({ name, filename, start, end }) => ({
    name,
    filename,
    content: bytes.toString('latin1', start, end),
  }))
}

test('fields and files are found where they are, whatever their bytes', async () => {
  const form = new FormData()
  form.set('model', 'whisper')
  form.set('empty', '')
  form.set('file', new File([Buffer.from('\r\n--not the end\r\n\r\n\0\xff', 'latin1')], 'a "b"é.wav'))
  form.append('file[]', 'x')
  const { bytes, boundary } = await encode(form)
  expect(readParts(bytes, boundary)).toEqual([
    { name: 'model', filename: null, content: 'whisper' },
    { name: 'empty', filename: null, content: '' },
    { name: 'file', filename: expect.stringContaining('.wav'), content: '\r\n--not the end\r\n\r\n\0\xff' },
    { name: 'file[]', filename: null, content: 'x' },
  ])
})

const part = (head: string, content = 'x') => `--b\r\n${head}\r\n\r\n${content}\r\n`
const DISPOSITION = 'Content-Disposition: form-data; name="model"'

test.each([
  ['names without quotes', `${part('content-disposition: form-data; name=model')}--b--\r\n`],
  ['headers in any order', `${part(`Content-Type: text/plain\r\n${DISPOSITION}`)}--b--`],
  [
    'a filename in another encoding',
    `${part(`${DISPOSITION}; filename="e.wav"; filename*=UTF-8''%C3%A9.wav`)}--b--\r\n`,
  ],
])('%s are read', (_what, text) => {
  expect(readParts(Buffer.from(text), 'b')).toMatchObject([{ name: 'model', content: 'x' }])
})

test.each([
  ['no boundary at the beginning', 'x--b--'],
  ['no end', part(DISPOSITION)],
  ['an end in the middle of a part', `--b\r\n${DISPOSITION}`],
  ['a part without a name', `${part('Content-Disposition: form-data')}--b--`],
  ['two names', `${part(`${DISPOSITION}; name="other"`)}--b--`],
  ['two dispositions', `${part(`${DISPOSITION}\r\n${DISPOSITION}`)}--b--`],
  ['a name that parsers read differently', `${part(`${DISPOSITION}; name*=UTF-8''other`)}--b--`],
  ['an escape in the name', `${part('Content-Disposition: form-data; name="mo\\del"')}--b--`],
  ['more parts than anyone sends', `${part(DISPOSITION).repeat(1001)}--b--`],
])('%s is refused', (_what, text) => {
  expect(scanForm(Buffer.from(text), 'b')).toBeNull()
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['multipart/form-data; charset=utf-8; boundary="a b"', 'a b'],
  ['Multipart/Form-Data;boundary=abc; x=1', 'abc'],
  ['multipart/form-data', null],
  ['multipart/mixed; boundary=abc', null],
])('the boundary of %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary)
})
