import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { SqliteConnection } from './connection.ts'
import type { WriteUnit } from './protocol.ts'
import { writeGroup } from './write-group.ts'

const BUSY_MS = 200

let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
let connection: SqliteConnection
let other: DatabaseSync

beforeEach(async () => {
  folder = await makeTemporaryFolder()
  const path = `${folder.path}/goldweight.db`
  connection = new SqliteConnection(path, { readOnly: false })
  connection.database.exec(`create table things (name text primary key); pragma busy_timeout = ${BUSY_MS}`)
  other = new DatabaseSync(path)
})
afterEach(async () => {
  other.close()
  connection.close()
  await folder.remove()
})

const unit = (name: string): WriteUnit => ({
  kind: 'statements',
  statements: [{ sql: 'insert into things (name) values (?)', parameters: [name] }],
})

test('a database that somebody else has locked is waited for once a group, not once a unit', () => {
  const units = Array.from({ length: 20 }, (_, index) => unit(`thing ${index}`))
  other.exec('begin immediate')
  const startedMs = performance.now()
  const outcomes = writeGroup(connection, units)
  expect(performance.now() - startedMs).toBeLessThan(BUSY_MS * 4)
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(20).fill('fault'))

  other.exec('rollback')
  expect(writeGroup(connection, units).map(({ kind }) => kind)).toEqual(Array(20).fill('committed'))
})
