import type { SharedV4ProviderMetadata } from '@ai-sdk/provider'
import type { Call, ItemKind } from './output-items.ts'

/** The index that deltas of an item name beside the item's own; calls have none. */
const INNER_INDEX: Readonly<Record<ItemKind, string>> = {
  msg: ',"content_index":0',
  rs: ',"summary_index":0',
  fc: '',
}

/** An item of a streamed response that goes on. */
export class OpenItem {
  readonly kind: ItemKind
  readonly id: string
  readonly outputIndex: number
  /** Of the tool, where it is a call. */
  readonly name: string
  /** Where its deltas belong, as members of JSON. */
  readonly place: string
  /** All of its text, or of the arguments of its call, so far. */
  text = ''
  /** What the upstream has told beside its words. */
  readonly metadata: SharedV4ProviderMetadata = {}

  constructor(kind: ItemKind, id: string, outputIndex: number, name = '') {
    this.kind = kind
    this.id = id
    this.outputIndex = outputIndex
    this.name = name
    this.place = `"item_id":"${id}","output_index":${outputIndex}${INNER_INDEX[kind]}`
  }

  /** Where its one part stands. */
  at(index: 'content_index' | 'summary_index') {
    return { item_id: this.id, output_index: this.outputIndex, [index]: 0 }
  }

  call(callId: string): Call {
    return { callId, name: this.name, arguments: this.text }
  }
}
