import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

const json = (text: string, endpoint: 'chat' | 'messages' = 'chat') =>
  fingerprintOf({ endpoint, bytes: Buffer.from(text), contentType: null })

function form(boundary: string, fields: readonly string[]): Promise<string> {
  const parts = fields.map(
    (value, index) => `--${boundary}\r\ncontent-disposition: form-data; name="f${index}"\r\n\r\n${value}\r\n`,
  )
  return fingerprintOf({
    endpoint: 'transcriptions',
    bytes: Buffer.from(`${parts.join('')}--${boundary}--\r\n`),
    contentType: `multipart/form-data; boundary=${boundary}`,
  })
}

test('the same bytes are the same request, on the same endpoint', async () => {
  const big = `{"a":"${'x'.repeat(2_000_000)}"}`
  expect(await json(big)).toBe(await json(big))
  expect(await json(big)).not.toBe(await json(big.replace('x"', 'y"')))
  expect(await json('{}')).not.toBe(await json('{}', 'messages'))
})

test('a form is the same request under another boundary, and another one with other fields', async () => {
  const first = await form('----one', ['a', 'b'])
  expect(await form('----another', ['a', 'b'])).toBe(first)
  expect(await form('----one', ['a', 'c'])).not.toBe(first)
  expect(await form('----one', ['ab', ''])).not.toBe(first)
})

test('a form that holds its boundary over and over is hashed as fast as any other', async () => {
  const [head, fill] = ['--a\r\ncontent-disposition: form-data; name="f"\r\n\r\n', '--a'.repeat(1_000_000)]
  const hashed = (end: string) =>
    fingerprintOf({
      endpoint: 'transcriptions',
      bytes: Buffer.from(`${head}${fill}${end}\r\n--a--\r\n`),
      contentType: 'multipart/form-data; boundary=a',
    })
  const before = process.cpuUsage()
  const first = await hashed('x')
  const { user, system } = process.cpuUsage(before)
  // Piece by piece it takes seconds, in which nobody else has a turn.
  expect(user + system).toBeLessThan(1_000_000)
  expect(await hashed('x')).toBe(first)
  expect(await hashed('y')).not.toBe(first)
})
