import { expect, test } from 'vitest'
import { fieldsOf, typeText } from './schema-text.ts'

test.each([
  [{ type: 'string' }, 'text'],
  [{ type: 'string', format: 'date-time' }, 'date-time'],
  [{ type: 'string', minLength: 1, maxLength: 200 }, 'text, 1 to 200 characters'],
  [{ type: 'integer', minimum: 1, maximum: 1_000_000 }, 'integer, 1 to 1,000,000'],
  [{ type: 'string', minLength: 1 }, 'text, not empty'],
  [{ type: 'object', properties: { a: {} }, additionalProperties: {} }, 'object'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'map of text'],
  [{ type: 'number', minimum: 0 }, 'number, 0 or more'],
  [{ type: ['string', 'null'] }, 'text or null'],
  [{ anyOf: [{ $ref: '#/components/schemas/Weights' }, { type: 'null' }] }, 'Weights or null'],
  [{ type: 'array', items: { $ref: '#/components/schemas/ApiKey' } }, 'list of ApiKey'],
  [{ enum: ['hour', 'day'] }, '"hour" or "day"'],
  [{ const: 'list' }, '"list"'],
  [{}, 'anything'],
])('%o is told as %s', (schema, text) => {
  expect(typeText(schema)).toBe(text)
})

test('fields are found behind a name, in a list, and beside null', () => {
  const Weights = { type: 'object', properties: { input: { type: 'number' } } }
  const document = {
    info: { title: '', description: '' },
    tags: [],
    paths: {},
    components: { schemas: { Weights } },
  }
  const reference = { $ref: '#/components/schemas/Weights' }
  expect(fieldsOf(document, reference)).toBe(Weights)
  expect(fieldsOf(document, { type: 'array', items: reference })).toBe(Weights)
  expect(fieldsOf(document, { anyOf: [{ type: 'null' }, reference] })).toBe(Weights)
  expect(fieldsOf(document, { type: 'string' })).toBeNull()
})
