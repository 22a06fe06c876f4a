import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['a,1,,-2.5,3', ['a', 1, null, -2.5, 3n]],
  ['"a, b","say ""no""","two\nlines"', ['a, b', 'say "no"', 'two\nlines']],
  ["'=1+1,'+1,'-1,'@sum(a),'\tx,\"'\rx\"", ['=1+1', '+1', '-1', '@sum(a)', '\tx', '\rx']],
  [`"'=cmd(""x""),1"`, ['=cmd("x"),1']],
  ['a=1, =1,', ['a=1', ' =1', '']],
] as const)('cells become the line %s', (line, cells) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`)
})
