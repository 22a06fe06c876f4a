const TICK_MS = 100

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/**
 * Rejects when the answer does not come within so many milliseconds in which this process could have read it: time in
 * which the event loop was busy elsewhere is not held against the other side.
 */
export async function withPatience<Result>(answer: Promise<Result>, patienceMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>()
  let ticks = 0
  const timer = setInterval(() => {
    ticks++
    if (ticks * TICK_MS >= patienceMs) late.reject(new NoAnswer(`no answer within ${patienceMs} ms`))
  }, TICK_MS)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearInterval(timer)
  }
}
