/** Measures what the gateway costs beside a proxy that only forwards: see README.md. */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { type Children, createChildren } from './children.ts'
import { START_FLAGS } from './gateway.ts'
import { measureAll } from './measurements.ts'
import { choosePlacement, type Placement } from './placement.ts'
import { type Plan, readPlan, USAGE, WrongOption } from './plan.ts'
import { jsonOf, tableOf } from './report.ts'

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function describe(placement: Placement) {
  return {
    node: process.version,
    nodeFlags: START_FLAGS,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    loadAverageBefore: loadavg()[0] ?? 0,
    placement: placement.description,
    measuredAt: new Date().toISOString(),
  }
}

async function measureAndReport(plan: Plan, children: Children, placement: Placement): Promise<void> {
  const circumstances = describe(placement)
  const { node, processor, cores, loadAverageBefore: load } = circumstances
  print(
    `Node ${node} (targets with ${START_FLAGS.join(' ')}), ${cores} × ${processor}, load ${load.toFixed(2)}`,
  )
  print(`${placement.description}; rounds in turns: ${plan.rounds}, medians of them; 1 KB requests`)
  if (plan.smoke) print('smoke: only whether all is whole is checked, the figures mean nothing')
  for (const obstacle of plan.leftOut) print(`left out: ${obstacle}`)
  const figures = await measureAll(children, plan, text => print(`measuring ${text} …`))
  print(tableOf(figures, plan))
  const succeededText = plan.targets.includes('gateway')
    ? ', and the books show each charge exactly once'
    : ''
  print(`Every reply and every stream was whole${succeededText}.`)
  const json = jsonOf(figures, plan, circumstances)
  print(json)
  if (plan.jsonPath !== null) writeFileSync(plan.jsonPath, `${json}\n`)
}

async function main(): Promise<number> {
  const plan = readPlan(process.argv.slice(2))
  if (plan === null) {
    print(USAGE)
    return 0
  }
  const placement = choosePlacement()
  const children = createChildren(placement)
  try {
    await measureAndReport(plan, children, placement)
    return 0
  } finally {
    await children.stopAll()
  }
}

// Leaving runs the exit handler that ends what was started.
process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

try {
  process.exitCode = await main()
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(
    error instanceof WrongOption ? `${message}\n${USAGE}\n` : `The run is void. ${message}\n`,
  )
  process.exit(1)
}
