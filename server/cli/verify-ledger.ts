/** `npm run ledger:verify`: proves every balance from the records, beside the running service or without it. */
import { verifyLedger } from '#domains/billing/verify-ledger.ts'
import { creditsFromMicros, micros } from '#lib/money.ts'
import { deferredFolder, listWaiting } from '#storage/deferred/list-waiting.ts'
import { readConfig } from '../config.ts'
import { openStoreForReading } from '../open-store.ts'

async function run(): Promise<number> {
  const config = readConfig(process.env)
  await tellWhatWaits(config.dataDir)
  const storage = await openStoreForReading(config)
  try {
    const books = await storage.snapshot(verifyLedger)
    if (!books.ok) {
      process.stderr.write(`The ledger does not add up. ${books.refusal}\n`)
      return 1
    }
    const { accounts, entries, charges, requests, orders, allocatedMicros, usedMicros } = books.value
    const line = (name: string, value: number | string) =>
      process.stdout.write(`  ${name.padEnd(22)}${value}\n`)
    process.stdout.write('The ledger adds up. Checked:\n')
    line('accounts', accounts)
    line('ledger entries', entries)
    line('  of them charges', charges)
    line('requests', requests)
    line('orders', orders)
    line('credits allocated', creditsFromMicros(allocatedMicros))
    line('credits used', creditsFromMicros(usedMicros))
    line('sum of balances', creditsFromMicros(micros(allocatedMicros - usedMicros)))
    return 0
  } finally {
    await storage.close()
  }
}

/** Charges on this node's disk are on no ledger yet: whoever looks at the books has to know. */
async function tellWhatWaits(dataDir: string): Promise<void> {
  for (const { path, postings } of await listWaiting(deferredFolder(dataDir))) {
    process.stdout.write(
      `${postings} of this node's postings wait in ${path} and are not on the ledger yet: ` +
        `a node that starts with this data folder posts them.\n`,
    )
  }
}

run()
  .then(code => {
    process.exitCode = code
  })
  .catch((error: unknown) => {
    process.stderr.write(`ledger:verify: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  })
