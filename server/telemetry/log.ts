import pino, { type Logger } from 'pino'

export type Log = Logger

/**
 * Names whose values never reach a log line. No code logs them; this is the net below it. Headers as a whole are among
 * them, so that nothing has to be looked for deep inside of every line: that would cost more than all else of logging.
 */
const SECRET_NAMES = [
  'headers',
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'credential',
  'token',
  'secret',
  'api_key',
  'x-api-key',
]

const BATCH_CHARS = 64 * 1024
/** Lines wait for others no longer than a twentieth of a second. */
const BATCHES = { minLength: BATCH_CHARS, maxWrite: 2 * BATCH_CHARS, periodicFlush: 50 } as const

/** So much waits for an output that takes nothing; what comes after it is lost. */
const MAX_WAITING_CHARS = 16 * 1024 * 1024

/** Matches tokens of ours and the commonest provider keys inside free text, such as an upstream's error message. */
const SECRET_TEXT = /\b(gw_[A-Za-z0-9]{8})[A-Za-z0-9]+|\b(sk-[A-Za-z0-9_-]{3})[A-Za-z0-9_-]{8,}|(Bearer )\S+/g

/** Free text with everything that looks like a key cut short. */
export function redactText(text: string): string {
  return text.replace(
    SECRET_TEXT,
    (_match, ours = '', theirs = '', bearer = '') => `${ours}${theirs}${bearer}…`,
  )
}

/** An error as it may be logged: its name, its redacted message and its stack; none of its other fields. */
export function loggableError(error: unknown): { name: string; message: string; stack?: string } {
  if (!(error instanceof Error)) return { name: 'NonError', message: redactText(String(error)) }
  const { name, message, stack } = error
  return {
    name,
    message: redactText(message),
    ...(stack === undefined ? {} : { stack: redactText(stack) }),
  }
}

/** Standard output that may fail: a full disk below it loses lines, and neither ends nor holds up the service. */
function standardOutput(): pino.DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, ...BATCHES, maxLength: MAX_WAITING_CHARS })
  gatherLines(output)
  let isFailing = false
  output.on('error', () => {
    isFailing = true
  })
  output.on('write', () => {
    isFailing = false
  })
  // What is left is written when the process exits, and that is tried without end (sonic-boom 4): not on a full disk.
  const flushSync = output.flushSync.bind(output)
  output.flushSync = () => {
    if (!isFailing) flushSync()
  }
  return output
}

/** Has lines wait here: the output would count the bytes of all that waits in it anew for each of them (sonic-boom 4). */
function gatherLines(output: ReturnType<typeof pino.destination>): void {
  let lines = ''
  const write = output.write.bind(output)
  const handOver = () => {
    const gathered = lines
    lines = ''
    if (gathered !== '') write(gathered)
  }
  output.write = line => {
    lines += line
    if (lines.length >= BATCH_CHARS) handOver()
    return true
  }
  const flush = output.flush.bind(output)
  output.flush = done => {
    handOver()
    flush(done)
  }
  const flushSync = output.flushSync.bind(output)
  output.flushSync = () => {
    handOver()
    flushSync()
  }
}

/** The service's log: JSON lines on standard output, written in batches off the event loop. */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      serializers: {
        ...Object.fromEntries(SECRET_NAMES.map(name => [name, () => '…'])),
        // What callers have made loggable is left as it is; an error that none of them did must not slip through.
        error: value => (value instanceof Error ? loggableError(value) : value),
      },
    },
    destination ?? standardOutput(),
  )
}

/**
 * Writes a line whose fields are JSON already: `"request_id":"req_…","status":200`. For the one line that every request
 * writes, where going through the fields one by one would cost more than all else that is done for the request's record.
 */
export function logPrepared(log: Log, level: 'info', fields: string): void {
  if (!log.isLevelEnabled(level)) return
  // Every logger has its stream under this symbol, which its types leave out.
  const stream = Reflect.get(log, pino.symbols.streamSym) as pino.DestinationStream
  stream.write(`{"level":${log.levels.values[level]},"time":${Date.now()},${fields}}\n`)
}

export const silentLog: Log = pino({ level: 'silent' })
