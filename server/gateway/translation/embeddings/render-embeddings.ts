import { setImmediate as nextTurn } from 'node:timers/promises'

/** Writing this many numbers takes about a millisecond. */
const NUMBERS_PER_TURN = 8_192

type Reply = {
  readonly embeddings: readonly (readonly number[])[]
  readonly isBase64: boolean
  readonly model: string
  /** null when the upstream reported none. */
  readonly tokens: number | null
}

/** An OpenAI embeddings reply in pieces. Others get their turn in between: there may be a hundred megabytes of numbers. */
export async function renderEmbeddings({ embeddings, isBase64, model, tokens }: Reply): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let text = '{"object":"list","data":['
  let numbers = 0
  for (const [index, embedding] of embeddings.entries()) {
    const value = isBase64 ? `"${toBase64(embedding)}"` : JSON.stringify(embedding)
    text += `${index === 0 ? '' : ','}{"object":"embedding","index":${index},"embedding":${value}}`
    numbers += embedding.length
    if (numbers < NUMBERS_PER_TURN) continue
    pieces.push(Buffer.from(text))
    text = ''
    numbers = 0
    await nextTurn()
  }
  const usage = tokens === null ? '' : `,"usage":{"prompt_tokens":${tokens},"total_tokens":${tokens}}`
  pieces.push(Buffer.from(`${text}],"model":${JSON.stringify(model)}${usage}}`))
  return pieces
}

/** Numbers of 32 bits, least significant byte first, as all common processors have them. */
function toBase64(embedding: readonly number[]): string {
  return Buffer.from(Float32Array.from(embedding).buffer).toString('base64')
}
