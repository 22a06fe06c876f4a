import { describe, expect, test } from 'vitest'
import { micros } from '#lib/money.ts'
import type { Posting } from '#storage/storage.ts'
import { entryOf, requestOf } from '#test/storage/rows.ts'
import { packOutcomes, packUnits, unpackOutcomes, unpackUnits } from './packing.ts'
import { packPosting } from './posting.ts'
import type { UnitOutcome, WriteUnit } from './protocol.ts'

function chargeOf(tokens: number, change: Partial<Posting> = {}): WriteUnit {
  const request = requestOf('acc_1', tokens)
  const entry = entryOf('charge', BigInt(-tokens), request.id)
  return packPosting({ accountId: 'acc_1', request, entry, ...change }, [])
}

const STATEMENTS: WriteUnit = { kind: 'statements', statements: [{ sql: 'select 1', parameters: [] }] }

describe('units', () => {
  const request = requestOf('acc_1', 7)
  const entry = entryOf('charge', -7n, request.id)

  test.each<[string, WriteUnit[]]>([
    ['one charge', [chargeOf(1)]],
    ['charges', [chargeOf(1), chargeOf(0), chargeOf(3)]],
    ['charges that are alike, and unlike', [chargeOf(2), chargeOf(2), chargeOf(0), chargeOf(0), chargeOf(2)]],
    ['charges between others', [STATEMENTS, chargeOf(1), chargeOf(2), STATEMENTS, chargeOf(3)]],
    ['a request that is not charged', [chargeOf(1, { entry: null }), chargeOf(2)]],
    ['a grant', [packPosting({ accountId: 'acc_1', request: null, entry: entryOf('grant', 5n) }, [])]],
    [
      'a charge that is not what its request cost',
      [chargeOf(5, { entry: { ...entry, amount_micros: micros(-6n) } })],
    ],
    [
      'a charge with a note',
      [packPosting({ accountId: 'acc_1', request, entry: { ...entry, note: 'why' } }, [])],
    ],
    ['a charge of another account', [packPosting({ accountId: 'acc_2', request, entry }, [])]],
    ['a charge of another request', [chargeOf(5, { entry: { ...entry, amount_micros: micros(-5n) } })]],
    [
      'a charge with further rows',
      [packPosting({ accountId: 'acc_1', request, entry }, [{ sql: 'select 1', parameters: [] }])],
    ],
    ['nothing', []],
  ])('arrive as they were sent: %s', (_name, units) => {
    expect(unpackUnits(structuredClone(packUnits(units)))).toEqual(units)
  })

  test('that are charges alone travel as one list of plain values', () => {
    const packed = packUnits([chargeOf(1), chargeOf(2)])
    expect(packed).toEqual([{ kind: 'charges', values: expect.any(Array) }])
  })
})

describe('outcomes', () => {
  const posted = (sequence: number): UnitOutcome => ({
    kind: 'posted',
    balance: [micros(2n ** 62n), micros(-3n), micros(0n), sequence],
  })

  test.each<[string, UnitOutcome[]]>([
    ['all posted', [posted(1), posted(2), posted(2 ** 40)]],
    ['one that was posted before', [posted(1), { kind: 'already-posted' }]],
    ['others', [{ kind: 'committed', rowsChanged: [1] }, posted(4)]],
    ['none', []],
  ])('arrive as they were sent: %s', (_name, outcomes) => {
    expect(unpackOutcomes(structuredClone(packOutcomes(outcomes)))).toEqual(outcomes)
  })
})
