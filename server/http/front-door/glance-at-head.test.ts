import { expect, test } from 'vitest'
import { glanceAtHead } from './glance-at-head.ts'

const head = (...fields: string[]) =>
  Buffer.from(['POST /v1/x HTTP/1.1', 'host: a', ...fields, '', ''].join('\r\n'), 'latin1')

test.each([
  ['content-length: 12', 12],
  ['Content-Length:0', 0],
  ['CONTENT-LENGTH:\t 007 ', 7],
])('%s is a length', (field, bodyBytes) => {
  expect(glanceAtHead(head(field))?.bodyBytes).toBe(bodyBytes)
})

test.each(['', ' ', '\t', ' \t ', '+1', '-1', '1 2', '1,1', '1.0', '0x1', '1e1', 'a', '\xb2', '1234567890'])(
  'what is no plain length is left to node: "%s"',
  value => {
    expect(glanceAtHead(head(`content-length:${value}`))).toBeNull()
    expect(glanceAtHead(head(`content-length: ${value}`, 'x-a: b'))).toBeNull()
  },
)
