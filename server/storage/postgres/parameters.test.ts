import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { BoundArray, bindParameters, type ElementType, UnbindableValue } from './parameters.ts'

let client: Client
beforeAll(async () => {
  client = new Client({ connectionString: inject('postgresUrl') })
  await client.connect()
})
afterAll(() => client.end())

/** What the server makes of an array, each value as text. */
async function sent(type: ElementType, values: readonly unknown[]): Promise<unknown[]> {
  const text = `select value::text from unnest($1::${type}[]) with ordinality as it (value, place) order by place`
  const { rows } = await client.query({
    text,
    values: bindParameters([new BoundArray(type, values)]),
    rowMode: 'array',
  })
  return rows.flat()
}

const missing = fc.constantFrom(null, undefined)

test('texts reach the server as they are, but for what no text can hold', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'NULL', '{}', '"', '\\', '\ud800', 'a\udfff\0b'),
  )
  const texts = fc.array(fc.oneof({ weight: 5, arbitrary: text }, missing))
  await fc.assert(
    fc.asyncProperty(texts, async values => {
      const stored = values.map(value => value?.toWellFormed().replaceAll('\0', '\ufffd') ?? null)
      expect(await sent('text', values)).toEqual(stored)
    }),
  )
})

test('whole numbers reach the server as they are, whatever type they come in', async () => {
  const number = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.maxSafeInteger(),
    fc.integer(),
    fc.constantFrom(0, -0, -1, 2 ** 31, -(2 ** 31), 2 ** 32, -(2 ** 32), 2 ** 53, -(2 ** 63), true, false),
    fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 32n, -1n),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof({ weight: 5, arbitrary: number }, missing)), async values => {
      expect(await sent('bigint', values)).toEqual(
        values.map(value => (value == null ? null : String(BigInt(value)))),
      )
    }),
  )
})

test.each([
  ['bigint', 2n ** 63n],
  ['bigint', -(2n ** 63n) - 1n],
  ['bigint', 2 ** 63],
  ['bigint', 1e300],
  ['bigint', 1.5],
  ['bigint', Number.NaN],
  ['bigint', Number.POSITIVE_INFINITY],
  ['bigint', '1'],
  ['text', 1],
  ['text', {}],
] as const)('an array of %s does not take %s', (type, value) => {
  expect(() => new BoundArray(type, [null, value])).toThrow(UnbindableValue)
})
