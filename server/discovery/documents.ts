import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { catalogEntry, openaiModel } from '#contract/catalog.ts'
import type { PublishedCatalog, PublishedModel } from '#domains/catalog/published.ts'

/** A reply as it is sent. */
export type PublicDocument = {
  readonly body: Buffer
  /** A strong tag, quotes included: it changes with any byte of the body. */
  readonly etag: string
}

export type PublicDocumentsOptions = {
  /** The catalogue as of now. */
  readonly published: () => PublishedCatalog
  /** Whether a model answers badly at the moment. */
  readonly isDegraded: (modelId: string) => boolean
}

/** The documents of the public catalogue as of now; those of one model are null when there is no such model. */
export type PublicDocuments = {
  modelList(): PublicDocument
  model(id: string): PublicDocument | null
  catalogList(): PublicDocument
  catalogEntry(id: string): PublicDocument | null
  packageList(): PublicDocument
}

type Entry = z.infer<typeof catalogEntry>

export function createPublicDocuments({ published, isDegraded }: PublicDocumentsOptions): PublicDocuments {
  let source: PublishedCatalog | null = null
  let rendered = new Map<string, PublicDocument>()

  /** A document of the snapshot that is current, rendered when it is first asked for. */
  function render(catalog: PublishedCatalog, name: string, content: () => unknown): PublicDocument {
    if (catalog !== source) {
      source = catalog
      rendered = new Map()
    }
    let document = rendered.get(name)
    if (!document) {
      document = toDocument(content())
      rendered.set(name, document)
    }
    return document
  }

  function statusOf({ entry, deprecated, routed }: PublishedModel): Entry['status'] {
    if (deprecated) return 'deprecated'
    return routed && !isDegraded(entry.id) ? 'available' : 'degraded'
  }

  let listSource: PublishedCatalog | null = null
  let listStatuses = ''
  let list: PublicDocument | null = null

  /** Of the whole catalogue only the latest rendering is kept: its models' statuses have too many combinations. */
  function catalogList(): PublicDocument {
    const catalog = published()
    const entries = [...catalog.models.values()].map(model => ({ ...model.entry, status: statusOf(model) }))
    const statuses = entries.map(entry => entry.status).join()
    if (list === null || catalog !== listSource || statuses !== listStatuses) {
      list = toDocument({ object: 'list', data: entries })
      listSource = catalog
      listStatuses = statuses
    }
    return list
  }

  return {
    modelList: () => {
      const catalog = published()
      return render(catalog, 'models', () => ({
        object: 'list',
        data: [...catalog.models.values()].map(toOpenaiModel),
      }))
    },
    model: id => {
      const catalog = published()
      const model = catalog.models.get(id)
      return model ? render(catalog, `model ${id}`, () => toOpenaiModel(model)) : null
    },
    catalogList,
    catalogEntry: id => {
      const catalog = published()
      const model = catalog.models.get(id)
      if (!model) return null
      const status = statusOf(model)
      return render(catalog, `entry ${status} ${id}`, () => ({ ...model.entry, status }))
    },
    packageList: () => {
      const catalog = published()
      return render(catalog, 'packages', () => ({ object: 'list', data: catalog.packages }))
    },
  }
}

function toOpenaiModel({ entry }: PublishedModel): z.infer<typeof openaiModel> {
  return { id: entry.id, object: 'model', created: entry.created, owned_by: entry.owned_by }
}

function toDocument(content: unknown): PublicDocument {
  const body = Buffer.from(JSON.stringify(content))
  return { body, etag: `"${hash('sha256', body, 'base64url')}"` }
}
