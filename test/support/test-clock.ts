/** A clock that tests push forward: what would have to be waited for is passed over. */
export function createTestClock() {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    monotonicMs: () => performance.now() + ahead,
    advance: (milliseconds: number) => {
      ahead += milliseconds
    },
  }
}
