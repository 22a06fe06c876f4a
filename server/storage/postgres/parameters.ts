import { storableText } from '#lib/nul.ts'

/** A value that no statement can take: the fault of whoever made it, and no state of the store. */
export class UnbindableValue extends TypeError {
  override readonly name = 'UnbindableValue'
}

type BoundParameter = string | number | bigint | Buffer | null

/** A parameter as the library sends it: text, nothing, or the bytes of an array. Objects are refused, as by the other engine. */
function bindParameter(value: unknown): BoundParameter {
  switch (typeof value) {
    case 'string':
      return storableText(value)
    case 'bigint':
      return value
    case 'number':
      if (Number.isNaN(value)) break
      return value
    case 'boolean':
      return value ? 1 : 0
    case 'undefined':
      return null
    default:
      if (value === null) return null
      if (value instanceof BoundArray) return value.bytes
  }
  throw new UnbindableValue(`A ${typeof value} can't be bound to a statement`)
}

export function bindParameters(values: readonly unknown[]): BoundParameter[] {
  return values.map(bindParameter)
}

export type ElementType = 'text' | 'bigint'

/** `select oid from pg_type` for text and int8: they never change. */
const OID: Readonly<Record<ElementType, number>> = { text: 25, bigint: 20 }
const HEAD_BYTES = 20
const LENGTH_BYTES = 4
const BIGINT_BYTES = 8
const NULL_LENGTH = -1

/** An array as one parameter, in the form in which the server keeps it: to read one from text takes it about twice as long. */
export class BoundArray {
  readonly bytes: Buffer

  /** Throws UnbindableValue for what is neither of that type nor null. */
  constructor(type: ElementType, values: readonly unknown[]) {
    this.bytes = type === 'text' ? textArray(values) : bigintArray(values)
  }
}

/** The layout is that of `array_recv` (src/backend/utils/adt/arrayfuncs.c): one dimension, its lower bound 1. */
function writeHead(bytes: Buffer, type: ElementType, length: number): number {
  bytes.writeInt32BE(1, 0)
  // Whether there are nulls is seen by their lengths, too; who reads this looks for itself.
  bytes.writeInt32BE(1, 4)
  bytes.writeInt32BE(OID[type], 8)
  bytes.writeInt32BE(length, 12)
  bytes.writeInt32BE(1, 16)
  return HEAD_BYTES
}

function textArray(values: readonly unknown[]): Buffer {
  const texts = values.map(bindText)
  let size = HEAD_BYTES
  for (const text of texts) size += LENGTH_BYTES + (text === null ? 0 : Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(size)
  let at = writeHead(bytes, 'text', texts.length)
  for (const text of texts) {
    const length = text === null ? NULL_LENGTH : bytes.write(text, at + LENGTH_BYTES)
    bytes.writeInt32BE(length, at)
    at += LENGTH_BYTES + Math.max(length, 0)
  }
  return bytes
}

function bigintArray(values: readonly unknown[]): Buffer {
  let size = HEAD_BYTES
  for (const value of values) size += LENGTH_BYTES + (isMissing(value) ? 0 : BIGINT_BYTES)
  const bytes = Buffer.allocUnsafe(size)
  let at = writeHead(bytes, 'bigint', values.length)
  for (const value of values) {
    const isNull = isMissing(value)
    bytes.writeInt32BE(isNull ? NULL_LENGTH : BIGINT_BYTES, at)
    at += LENGTH_BYTES
    if (isNull) continue
    writeBigint(bytes, value, at)
    at += BIGINT_BYTES
  }
  return bytes
}

const HIGH_HALF = 2 ** 32

function writeBigint(bytes: Buffer, value: unknown, at: number): void {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    bytes.writeInt32BE(Math.floor(value / HIGH_HALF), at)
    bytes.writeInt32BE(value | 0, at + LENGTH_BYTES)
  } else bytes.writeBigInt64BE(toBigint(value), at)
}

function toBigint(value: unknown): bigint {
  if (typeof value !== 'bigint' && typeof value !== 'boolean' && !Number.isInteger(value)) {
    throw new UnbindableValue(`A ${typeof value} is no whole number`)
  }
  // Each of the three has one exact bigint.
  const whole = BigInt(value as bigint | boolean | number)
  if (BigInt.asIntN(64, whole) !== whole) throw new UnbindableValue('A whole number has 64 bits at most')
  return whole
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined
}

function bindText(value: unknown): string | null {
  if (isMissing(value)) return null
  if (typeof value === 'string') return storableText(value)
  throw new UnbindableValue(`A ${typeof value} is no text`)
}
