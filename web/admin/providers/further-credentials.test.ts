import { expect, test } from 'vitest'
import { furtherCredentials, withFurther } from './further-credentials.ts'

const STORED = { row: 0, name: 'second', credential: '', storedAs: 'second' }

function problems(drafts: readonly (typeof STORED)[]) {
  return furtherCredentials.safeParse(drafts).error?.issues.map(({ path }) => path.join('.'))
}

test('what is stored is kept by its name alone, and what is new is sent with it', () => {
  const [kept, fresh] = withFurther([STORED])
  const drafts = [kept, { ...fresh, name: ' third ', credential: ' sk-3 ' }]
  expect(furtherCredentials.parse(drafts)).toEqual([
    { name: 'second' },
    { name: 'third', credential: 'sk-3' },
  ])
})

test('a name that is missing or taken, and a credential that nobody has, are told at their fields', () => {
  expect(problems([STORED, { ...STORED, credential: 'sk-2' }])).toEqual(['1.name'])
  expect(problems([{ ...STORED, name: 'renamed' }])).toEqual(['0.credential'])
  expect(problems([{ ...STORED, name: ' ', credential: 'sk-2' }])).toContain('0.name')
})
