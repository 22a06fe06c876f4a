/** The books of a service of several nodes, proved from the records. */
import { expect } from 'vitest'
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { expectBooksToAddUp, readBooks } from './books.ts'
import type { Answered } from './load.ts'
import type { ServiceNodes } from './nodes.ts'

/**
 * Fails unless the ledger adds up, every answer that came whole was charged exactly once, and nothing was charged that
 * the upstream was not asked. For accounts that only these answers were charged to.
 */
export async function expectAnswersOnBooks(
  service: ServiceNodes,
  accountId: string,
  answers: readonly Answered[],
): Promise<void> {
  const storage = await service.openStorage()
  try {
    expect(await storage.snapshot(verifyLedger)).toMatchObject({ ok: true })
    const books = await readBooks(storage, accountId)
    expectBooksToAddUp(books)
    const charged = books.entries.flatMap(({ kind, request_id: id }) => (kind === 'charge' && id ? [id] : []))
    expect(new Set(charged).size).toBe(charged.length)
    const whole = answers.filter(({ status, text }) => status === 200 && isWhole(text))
    const onBooks = new Set(charged)
    expect(whole.filter(({ requestId }) => !onBooks.has(requestId))).toEqual([])
    expect(charged.length).toBeLessThanOrEqual(service.upstream.requests.length)
  } finally {
    await storage.close()
  }
}

/** Whether the client holds a complete answer, streamed or not. */
export function isWhole(text: string): boolean {
  if (text.startsWith('data:')) return text.endsWith('data: [DONE]\n\n')
  try {
    return JSON.parse(text).choices.length === 1
  } catch {
    return false
  }
}
