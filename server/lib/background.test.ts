import { expect, test } from 'vitest'
import { createBackground } from './background.ts'

test('it is settled when everything has ended, also what was begun meanwhile', async () => {
  const background = createBackground(() => {})
  const ended: string[] = []
  background.run(async () => {
    await Promise.resolve()
    ended.push('first')
    background.run(async () => {
      await Promise.resolve()
      ended.push('second')
    })
  })
  await background.settled()
  expect(ended).toEqual(['first', 'second'])
})

test('a failure is told, and harms nothing else', async () => {
  const failures: unknown[] = []
  const background = createBackground(error => failures.push(error))
  background.run(async () => {
    throw new Error('gone')
  })
  await background.settled()
  expect(failures).toEqual([new Error('gone')])
})
