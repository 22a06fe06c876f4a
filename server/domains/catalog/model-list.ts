import { hash } from 'node:crypto'
import { mapPage, type Page, type PageRequest, takePage } from '#lib/page.ts'
import type { Storage } from '#storage/storage.ts'
import type { ModelRow } from '#storage/tables.ts'
import { type ModelRecord, toModelRecord } from './model-record.ts'
import { readRoutes } from './model-routes.ts'

const TIME_DIGITS = 15
const HASH_CHARS = 16

/**
 * A model's place in the list. Its id is chosen by people and does not tell its age, nor is it fit for a cursor; this
 * text sorts by age, and does not change while the model lives.
 */
function positionOf({ id, created_at }: Pick<ModelRow, 'id' | 'created_at'>): string {
  return `${String(created_at).padStart(TIME_DIGITS, '0')}_${hash('sha256', id, 'hex').slice(0, HASH_CHARS)}`
}

/** One page of the models, newest first. Places are made here, not in the store: a catalogue is hundreds of rows. */
export async function listModels(
  storage: Storage,
  { limit, after }: PageRequest,
): Promise<Page<ModelRecord>> {
  const places = (await storage.db.selectFrom('models').select(['id', 'created_at']).execute())
    .map(row => ({ id: row.id, position: positionOf(row) }))
    .filter(({ position }) => after === null || position < after)
    .sort((a, b) => (a.position < b.position ? 1 : -1))
    .slice(0, limit + 1)
  const wanted = takePage(places, limit, place => place.position)
  const ids = wanted.items.map(place => place.id)
  if (ids.length === 0) return { items: [], next: null }
  const [rows, routes] = await Promise.all([
    storage.db.selectFrom('models').selectAll().where('id', 'in', ids).execute(),
    readRoutes(storage, ids),
  ])
  const rowOf = new Map(rows.map(row => [row.id, row]))
  const page = mapPage(wanted, ({ id }) => {
    const row = rowOf.get(id)
    return row ? [toModelRecord(row, routes.get(id) ?? [])] : []
  })
  // A model that was deleted between the two readings is not listed.
  return { items: page.items.flat(), next: page.next }
}
