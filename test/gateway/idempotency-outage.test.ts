/** What a stream with an Idempotency-Key costs is charged though the store can't keep the end of its claim. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StorageUnavailable } from '#storage/storage.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import {
  CHAT,
  CHAT_PATH,
  expectError,
  readStream,
  STREAM,
  type Stage,
  startStage,
} from '#test/support/stage.ts'
import { answerWell } from '#test/support/upstream.ts'

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
  stage.upstream.respond(answerWell)
})
afterAll(() => stage.close())

/** Runs with a store that takes charges alone, as one that is away takes them for later: nothing beside them. */
async function takingChargesAlone<Result>(run: () => Promise<Result>): Promise<Result> {
  const { storage } = stage.gateway.app
  const post = storage.post.bind(storage)
  storage.post = posting =>
    (posting.also ?? []).length > 0 ? Promise.reject(new StorageUnavailable('away')) : post(posting)
  try {
    return await run()
  } finally {
    storage.post = post
  }
}

const ask = (body: object, key: string) =>
  takingChargesAlone(() => stage.call(CHAT_PATH, body, { headers: { 'idempotency-key': key } }))

const booksNow = () => readBooks(stage.gateway.app.storage, stage.caller.accountId)

test('a stream whose content went out ends well and is charged', async () => {
  const answer = await ask(STREAM, 'streamed')
  expect(readStream(answer.text)).toMatchObject({ isDone: true, error: null })
  expect(await stage.recordOf(answer.requestId)).toMatchObject({ status: 'succeeded', credits: 0.00007 })
  expectBooksToAddUp(await booksNow())
})

test('an answer that has not gone out does not: its repeat would be charged again', async () => {
  const before = await booksNow()
  expectError(await ask(CHAT, 'plain'), 503, { type: 'service_unavailable' })
  expect((await booksNow()).account.used_micros).toBe(before.account.used_micros)
})
