/** Now, in microseconds of the machine's monotonic clock: the same in every process and thread. */
export function nowMicros(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000_000 + nanoseconds / 1000
}
