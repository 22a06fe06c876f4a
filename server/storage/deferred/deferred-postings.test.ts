import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { entryOf, requestOf } from '#test/storage/rows.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { DeferredPostings } from './deferred-postings.ts'
import { listWaiting } from './list-waiting.ts'
import type { DeferrablePosting } from './record-line.ts'

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
const opened: DeferredPostings[] = []

beforeEach(async () => {
  folder = await makeTemporaryFolder()
})
afterEach(async () => {
  for (const deferred of opened.splice(0)) await deferred.close()
  await folder.remove()
})

async function open(): Promise<DeferredPostings> {
  const deferred = await DeferredPostings.open(folder.path)
  opened.push(deferred)
  return deferred
}

/** Leaves the journals as a process does that has ended. */
async function end(deferred: DeferredPostings): Promise<void> {
  opened.splice(opened.indexOf(deferred), 1)
  await deferred.close()
}

const posting = (id: string, note = ''): DeferrablePosting => ({
  accountId: 'acc_1',
  request: requestOf('acc_1', 9, id),
  entry: { ...entryOf('charge', -9_007_199_254_740_993n, id), note },
})

async function replay(deferred: DeferredPostings, answer: (id: string) => boolean = () => true) {
  const made: DeferrablePosting[] = []
  const replayed = await deferred.replay(async one => {
    const isMade = answer(one.request?.id ?? '')
    if (isMade) made.push(one)
    return isMade
  })
  return { made, ids: made.map(({ request }) => request?.id), ...replayed }
}

const journals = async () => (await readdir(folder.path)).filter(name => /\.journal/.test(name))

test('what was deferred comes back as it was and in its order, once', async () => {
  const deferred = await open()
  const postings = ['req_1', 'req_2', 'req_3'].map((id, index) =>
    posting(id, ['plain', '"\\\n\r\u2028\u2029\u0000é', '💶'][index]),
  )
  await Promise.all(postings.map(one => deferred.append(one)))
  expect((await replay(deferred)).made).toEqual(postings)
  expect((await replay(deferred)).made).toEqual([])
  expect(await journals()).toEqual([])
})

test('what is deferred while others are posted is posted after them', async () => {
  const deferred = await open()
  await deferred.append(posting('req_1'))
  const made: (string | undefined)[] = []
  await deferred.replay(async ({ request }) => {
    made.push(request?.id)
    if (made.length === 1) await deferred.append(posting('req_2'))
    return true
  })
  expect(made).toEqual(['req_1', 'req_2'])
})

test('when the store goes away again nothing is lost, and all of it is asked for again', async () => {
  const deferred = await open()
  await Promise.all(['req_1', 'req_2'].map(id => deferred.append(posting(id))))
  const broken = deferred.replay(async ({ request }) => {
    if (request?.id === 'req_2') throw new Error('away again')
    return true
  })
  await expect(broken).rejects.toThrow('away again')
  expect((await replay(deferred)).ids).toEqual(['req_1', 'req_2'])
})

test('what a process has left is posted by the next one, and by no other that runs beside it', async () => {
  const first = await open()
  const second = await open()
  await first.append(posting('req_1'))
  await second.append(posting('req_2'))
  expect((await replay(await open())).ids).toEqual([])
  await end(first)
  const third = await open()
  expect((await replay(await open())).ids).toEqual([])
  expect((await replay(third)).ids).toEqual(['req_1'])
  expect((await replay(second)).ids).toEqual(['req_2'])
})

test('a line that a kill has cut off costs nothing else', async () => {
  const deferred = await open()
  await deferred.append(posting('req_1'))
  await end(deferred)
  const [name = ''] = await journals()
  const path = join(folder.path, name)
  const whole = await readFile(path, 'utf8')
  for (let length = 1; length < whole.length; length += 37) {
    await writeFile(path, whole + whole.slice(0, length))
    const next = await open()
    expect(await replay(next)).toMatchObject({ ids: ['req_1'], kept: [] })
    await end(next)
  }
})

test('a line that was changed is never posted, and its journal is kept', async () => {
  const deferred = await open()
  for (const id of ['req_1', 'req_2', 'req_3']) await deferred.append(posting(id))
  await end(deferred)
  const [name = ''] = await journals()
  const path = join(folder.path, name)
  await writeFile(path, (await readFile(path, 'utf8')).replace('"id":"req_2"', '"id":"req_9"'))
  const next = await open()
  expect(await replay(next)).toMatchObject({ ids: ['req_1', 'req_3'], kept: [`${path}.kept`] })
  expect(await listWaiting(folder.path)).toEqual([{ path: `${path}.kept`, postings: 3 }])
  await end(next)
  expect((await replay(await open())).ids).toEqual([])
})

test('what can never be posted holds up nothing, and its journal is kept', async () => {
  const deferred = await open()
  for (const id of ['req_1', 'req_2', 'req_3']) await deferred.append(posting(id))
  const { ids, kept } = await replay(deferred, id => id !== 'req_2')
  expect(ids).toEqual(['req_1', 'req_3'])
  expect(kept).toHaveLength(1)
})

test('files of others are left alone, and a folder that is not there is made', async () => {
  await mkdir(join(folder.path, 'below'))
  await appendFile(join(folder.path, 'notes.txt'), 'not ours')
  const deferred = await DeferredPostings.open(join(folder.path, 'below', 'deferred'))
  await deferred.close()
  await end(await open())
  expect((await readdir(folder.path)).sort()).toEqual(['below', 'notes.txt'])
})
