import { joinBytes } from '#lib/shared-bytes.ts'
import type { AnswerProtocol, StreamReader, WholeAnswer } from './answer-protocol.ts'
import type {
  AttemptFailure,
  AttemptOutcome,
  ProviderCall,
  ProviderStream,
  StreamConsumer,
  StreamReading,
} from './provider.ts'
import type { TransportControl, TransportError, TransportHandler } from './transport.ts'
import { fromErrorAnswer, fromTransportError, invalidAnswer, withoutSecrets } from './upstream-error.ts'

const MAX_REPLY_BYTES = 256 * 1024 * 1024
const MAX_ERROR_BYTES = 64 * 1024
/** A complete stream waits no longer than this for its usage and its end. */
const MAX_WAIT_AFTER_COMPLETION_MS = 10_000

type Headers = Readonly<Record<string, string | string[] | undefined>>

type ExchangeParts = {
  readonly call: ProviderCall
  readonly protocol: AnswerProtocol
  readonly resolve: (outcome: AttemptOutcome) => void
}

/**
 * One request and its answer. Until the outcome is known it collects: a whole reply, an error's body, or a stream up
 * to its first event. After that it is the stream itself.
 */
export class UpstreamExchange implements TransportHandler, ProviderStream {
  readonly #call: ProviderCall
  readonly #protocol: AnswerProtocol
  readonly #resolve: (outcome: AttemptOutcome) => void
  #control: TransportControl | null = null
  #status = 0
  #headers: Headers = {}
  #collected: Buffer[] = []
  #collectedBytes = 0
  #reader: StreamReader | null = null
  #consumer: StreamConsumer | null = null
  /** What happened after the first event but before the stream was started. */
  #endedEarly: AttemptFailure | 'ended' | null = null
  #pausedByConsumer = false
  #completionTimer: NodeJS.Timeout | null = null
  #over = false

  constructor({ call, protocol, resolve }: ExchangeParts) {
    this.#call = call
    this.#protocol = protocol
    this.#resolve = resolve
  }

  begin(control: TransportControl): void {
    this.#control = control
    if (this.#over) control.abort()
  }

  headers(status: number, headers: Headers): void {
    this.#status = status
    this.#headers = headers
    const encoding = headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      this.#failAttempt(invalidAnswer(`content-encoding ${encoding} although identity was asked for`))
      return
    }
    if (status >= 200 && status < 300) this.#reader = this.#protocol.createStreamReader(this.#answerType)
  }

  data(bytes: Buffer): void {
    if (this.#over) return
    if (this.#reader) this.#readStream(this.#reader, bytes)
    else this.#collect(bytes)
  }

  ended(): void {
    if (this.#over) return
    if (this.#reader) this.#endStream(this.#reader, null)
    else this.#readWhole(joinBytes(this.#collected, this.#collectedBytes))
  }

  failed(error: TransportError): void {
    if (this.#over) return
    const failure = fromTransportError(error)
    if (this.#reader) this.#endStream(this.#reader, failure)
    else this.#failAttempt(failure)
  }

  // The stream, once its first event is there.

  get #answerType(): string {
    return String(this.#headers['content-type'] ?? '')
  }

  get contentType(): string | undefined {
    // Events go out as ours, whatever else their upstream calls them.
    return this.#call.request.stream ? undefined : this.#answerType || 'application/octet-stream'
  }

  get reading(): StreamReading {
    if (!this.#reader) throw new Error('Only a stream has a reading')
    return this.#reader
  }

  start(consumer: StreamConsumer): void {
    this.#consumer = consumer
    const reader = this.#reader
    if (!reader) return
    this.#handOn(reader)
    if (this.#over) return
    if (this.#endedEarly) {
      this.#endStream(reader, this.#endedEarly === 'ended' ? null : this.#endedEarly)
      return
    }
    this.#watchCompletion(reader)
    // A consumer that can't take what it was just handed has paused already, and that must last.
    if (!this.#pausedByConsumer) this.#control?.resume()
  }

  pause(): void {
    this.#pausedByConsumer = true
    this.#control?.pause()
  }

  resume(): void {
    this.#pausedByConsumer = false
    this.#control?.resume()
  }

  cancel(): void {
    this.#finish()
    this.#control?.abort()
  }

  #finish(): void {
    this.#over = true
    if (this.#completionTimer) clearTimeout(this.#completionTimer)
  }

  #failAttempt(failure: AttemptFailure): void {
    this.cancel()
    this.#fail(failure)
  }

  #fail(failure: AttemptFailure): void {
    this.#resolve({ kind: 'failed', failure: withoutSecrets(failure, this.#call.route.provider) })
  }

  #collect(bytes: Buffer): void {
    const isError = this.#status >= 300
    this.#collected.push(bytes)
    this.#collectedBytes += bytes.length
    if (isError && this.#collectedBytes > MAX_ERROR_BYTES) {
      this.#failAttempt(fromErrorAnswer(this.#status, this.#headers, Buffer.alloc(0)))
    } else if (this.#collectedBytes > MAX_REPLY_BYTES) {
      this.#failAttempt(invalidAnswer(`a reply of more than ${MAX_REPLY_BYTES} bytes`))
    }
  }

  #readWhole(bytes: Buffer): void {
    this.#finish()
    this.#collected = []
    if (this.#status >= 300) {
      this.#fail(fromErrorAnswer(this.#status, this.#headers, bytes))
      return
    }
    const answer = this.#protocol.readReply(bytes, this.#answerType)
    if (!(answer instanceof Promise)) this.#resolveWhole(answer)
    else {
      answer.then(read => this.#resolveWhole(read)).catch(error => this.#fail(invalidAnswer(String(error))))
    }
  }

  #resolveWhole(answer: WholeAnswer): void {
    const isUnasked = answer.kind === 'reply' && this.#call.request.stream
    if (isUnasked) this.#fail(invalidAnswer('a plain reply where a stream was due'))
    else if (answer.kind === 'failed') this.#fail(answer.failure)
    else this.#resolve(answer)
  }

  #readStream(reader: StreamReader, bytes: Buffer): void {
    reader.push(bytes)
    if (this.#consumer) {
      this.#handOn(reader)
      this.#watchCompletion(reader)
      return
    }
    if (reader.failure) {
      if (reader.hasBegun) this.#holdEnding(reader.failure)
      else this.#failAttempt(reader.failure)
    } else if (reader.hasBegun) {
      // Nothing flows on until the pipeline has taken the stream over.
      this.#control?.pause()
      this.#resolve({ kind: 'stream', stream: this })
    }
  }

  #holdEnding(ending: AttemptFailure | 'ended'): void {
    if (this.#endedEarly) return
    this.#endedEarly = ending
    this.#resolve({ kind: 'stream', stream: this })
  }

  #handOn(reader: StreamReader): void {
    const bytes = reader.takeOutput()
    if (bytes.length > 0) this.#consumer?.data(bytes)
    if (this.#over || !this.#consumer) return
    if (reader.failure) this.#endStream(reader, reader.failure)
    else if (reader.isDone) this.#endStream(reader, null)
  }

  /** A stream that has all its finish reasons is not left hanging by an upstream that never closes. */
  #watchCompletion(reader: StreamReader): void {
    if (this.#over || this.#completionTimer || !reader.isComplete) return
    const waitMs = Math.min(MAX_WAIT_AFTER_COMPLETION_MS, this.#call.route.provider.timeouts.idle_ms)
    this.#completionTimer = setTimeout(() => this.#endStream(reader, null), waitMs)
  }

  /** The stream is over: by its own end, or by a failure. Before it was started, the ending waits. */
  #endStream(reader: StreamReader, failure: AttemptFailure | null): void {
    if (!this.#consumer) {
      if (reader.hasBegun) this.#holdEnding(failure ?? 'ended')
      else this.#failAttempt(failure ?? invalidAnswer('a stream without any event'))
      return
    }
    this.#finish()
    const lastBytes = reader.end(failure === null)
    if (lastBytes) {
      // An upstream that says it is done closes by itself, and its connection can serve again: unless it were left
      // paused for a client that reads slowly, and that would be for good.
      if (reader.isDone) this.#control?.resume()
      else this.#control?.abort()
      this.#consumer.end({ kind: 'complete', lastBytes })
      return
    }
    this.#control?.abort()
    const broken = reader.failure ?? failure ?? invalidAnswer('the stream broke off')
    this.#consumer.end({ kind: 'broken', failure: withoutSecrets(broken, this.#call.route.provider) })
  }
}
