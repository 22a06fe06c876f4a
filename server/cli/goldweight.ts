/** `npm run goldweight -- <command>`: what must work without a browser, beside the running service or without it. */
import { parseArgs } from 'node:util'
import { systemClock } from '#lib/clock.ts'
import { getServiceSecret } from '#storage/service-secret.ts'
import { createLog } from '#telemetry/log.ts'
import { readConfig } from '../config.ts'
import { openStore } from '../open-store.ts'
import { backUp } from './back-up.ts'
import { COMMANDS, type CommandParts, UsageError } from './commands.ts'
import { restore } from './restore.ts'

const HELP = `Usage: npm run goldweight -- <command>

  administrator create --email <e-mail> [--name <name>] [--role owner|operator|viewer]
  administrator reset --email <e-mail>         a new password; takes the second factor away
  key create --user <e-mail> --name <name> [--expires <time>]
  credits grant --account <id> --amount <credits> [--note <text>]
  configuration diff <file> | apply <file> | export
  backup <file>                                a copy of the embedded database, while the service runs
  restore <file>                               puts a backup in its place, while the service is stopped

Passwords and keys are printed once, and nowhere kept.
`

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      role: { type: 'string' },
      user: { type: 'string' },
      expires: { type: 'string' },
      account: { type: 'string' },
      amount: { type: 'string' },
      note: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const [first = 'help', second = ''] = positionals
  if (first === 'help' || values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const config = readConfig(process.env)
  if (first === 'backup') {
    await backUp(config, second)
    process.stdout.write(`Backed up to ${second}\n`)
    return 0
  }
  if (first === 'restore') {
    const kept = await restore(config, second, systemClock.now())
    process.stdout.write(`Restored ${second}\n${kept === null ? '' : `The database before it is ${kept}\n`}`)
    return 0
  }
  const command = COMMANDS.get(`${first} ${second}`)
  if (!command) throw new UsageError(`There is no command '${first} ${second}'`)
  return withParts(config, parts => command(parts, { ...values, file: positionals[2] }))
}

async function withParts(
  config: ReturnType<typeof readConfig>,
  use: (parts: CommandParts) => Promise<string>,
): Promise<number> {
  // Loaded when they are needed: a backup or a mistyped command need not wait for the whole service.
  const [{ createDomains }, { connectNodes }] = await Promise.all([
    import('../app.ts'),
    import('../compose-nodes.ts'),
  ])
  const log = createLog('silent')
  const clock = systemClock
  const secret = await getServiceSecret(config.secret, config.dataDir)
  const storage = await openStore(config, log)
  const nodes = await connectNodes({ storage, redis: config.redis, clock, log })
  const domains = createDomains(storage, nodes, { config, secret, clock, log })
  try {
    await domains.catalog.load()
    process.stdout.write(`${await use({ ...domains, storage, secret, env: process.env })}\n`)
    return 0
  } finally {
    domains.catalog.close()
    await domains.closeIdentity()
    await domains.keyUse.close().catch(() => {})
    nodes.close()
    await storage.close()
  }
}

run()
  .then(code => {
    process.exitCode = code
  })
  .catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    process.stderr.write(`goldweight: ${message}\n`)
    if (error instanceof UsageError) process.stderr.write(`\n${HELP}`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  })
