import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createVariableNames, escapeTexts, fillIn, toVariableName } from './variables.ts'
import { writeYaml } from './write-yaml.ts'

const read = (name: string) => `<${name}>`
const VARIABLE = '$'.concat('{KEY}')

test.each([
  [VARIABLE, '<KEY>'],
  [`a ${VARIABLE}${VARIABLE} b`, 'a <KEY><KEY> b'],
  [`$${VARIABLE}`, VARIABLE],
  [`$$${VARIABLE}`, '$<KEY>'],
  [`$$$${VARIABLE}`, `$${VARIABLE}`],
  ['$$ and $KEY, {KEY}', '$$ and $KEY, {KEY}'],
  ['$'.concat('{1}, $', '{} and $', '{a b}'), '$'.concat('{1}, $', '{} and $', '{a b}')],
])('%s says %s', (written, meant) => {
  expect(fillIn({ texts: [written] }, read)).toEqual({ texts: [meant] })
})

/** Texts in which what marks a variable is frequent. */
const marked = fc
  .array(fc.oneof(fc.constantFrom('$', '$$', '{', '}', '{KEY}', VARIABLE, '\n', '\r', '   '), fc.string()))
  .map(pieces => pieces.join(''))

test('whatever a text holds, what is written to a file and read again is that text', () => {
  fc.assert(
    fc.property(fc.array(marked), texts => {
      const value = { texts, inner: { text: texts.join('') }, count: 1, none: null }
      expect(fillIn(parse(writeYaml(escapeTexts(value))), read)).toEqual(value)
    }),
  )
})

test('a value that comes from the environment is not looked through again', () => {
  expect(fillIn(VARIABLE, () => VARIABLE)).toBe(VARIABLE)
})

test('of things that would share a variable, the first has the plain name and each other one of its own, for good', () => {
  const names = ['a b', 'a-b', 'A.B', '東京', '京都']
  const give = (some: readonly string[]) => {
    const variableFor = createVariableNames()
    return some.map(name => variableFor(toVariableName(name), [name]))
  }
  const given = give(names)
  expect(new Set(given).size).toBe(names.length)
  expect(given[0]).toBe('$'.concat('{A_B}'))
  for (const name of given) expect(name).toMatch(/^\$\{[A-Z_][A-Z0-9_]*\}$/)
  expect(give([...names, 'a_b']).slice(0, names.length)).toEqual(given)
  expect(give(['a b', 'A.B'])).toEqual([given[0], given[2]])
})
