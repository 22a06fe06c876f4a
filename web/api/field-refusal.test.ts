import { expect, test } from 'vitest'
import { refusalOfField } from './field-refusal.ts'

const FIELDS = { fields: ['base_url', 'headers'], lists: ['further_credentials'] }
const refusal = (message: string, status = 400) => refusalOfField({ status, message }, FIELDS)

test('a refusal is told at the field that it names, as nearly as there is one', () => {
  expect(refusal('base_url: is not a URL')).toEqual({ base_url: 'Is not a URL.' })
  expect(refusal('headers.Host: is set by the gateway')).toEqual({ headers: 'Host: is set by the gateway.' })
  expect(refusal('further_credentials.0.credential: is too long')).toEqual({
    'further_credentials.0.credential': 'Is too long.',
  })
})

test('what names no field of the form, or is no matter of fields, is told for the whole of it', () => {
  expect(refusal('weights.input: must be at most 5')).toBeNull()
  expect(refusal('There is a provider named a already')).toBeNull()
  expect(refusal('base_url: is not a URL', 409)).toBeNull()
})
