import { parse } from 'yaml'
import { z } from 'zod'
import { createModel, createPackage, createProvider, routeInput } from '#contract/catalog.ts'
import { patchSettings } from '#contract/settings.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import { fillIn, type ReadVariable } from './variables.ts'

const providerItem = z.strictObject(createProvider.shape)

/** Routes name their provider as the file does, since ids differ from service to service. */
const modelItem = z.strictObject({
  ...createModel.shape,
  routes: z
    .array(z.strictObject({ provider: z.string(), ...routeInput.omit({ provider_id: true }).shape }))
    .max(50)
    .optional(),
})

/** On sale unless the file says otherwise: it may be off sale because the file did not name it for a while. */
const packageItem = z.strictObject({ ...createPackage.shape, on_sale: z.boolean().default(true) })

const configurationFile = z.strictObject({
  settings: z.strictObject(patchSettings.shape).optional(),
  providers: z.array(providerItem).optional(),
  models: z.array(modelItem).optional(),
  packages: z.array(packageItem).optional(),
})

export type ConfigurationFile = z.infer<typeof configurationFile>
export type ModelItem = z.infer<typeof modelItem>

/**
 * Reads a configuration file: YAML, in which `${NAME}` stands for a variable of the environment, and `$${NAME}` for that
 * very text. Refused with one line that says where and why; it never shows what a variable holds.
 */
export function readConfigurationFile(
  text: string,
  readVariable: ReadVariable,
): Outcome<ConfigurationFile, string> {
  let raw: unknown
  try {
    raw = parse(text)
  } catch (error) {
    return refused(
      `is not valid YAML: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}`,
    )
  }
  const missing = new Set<string>()
  const filled = fillIn(raw ?? {}, name => {
    const value = readVariable(name)
    if (value === undefined) missing.add(name)
    return value ?? ''
  })
  if (missing.size > 0) return refused(`names variables that are not set: ${[...missing].join(', ')}`)
  const checked = configurationFile.safeParse(filled)
  if (!checked.success) {
    const [issue] = checked.error.issues
    return refused(`${issue?.path.join('.') || 'file'}: ${issue?.message ?? 'is not valid'}`)
  }
  const twice = findTwice(checked.data)
  return twice === null ? accepted(checked.data) : refused(`${twice} stands twice`)
}

function findTwice({ providers = [], models = [], packages = [] }: ConfigurationFile): string | null {
  const seen = new Set<string>()
  const names = [
    ...providers.map(({ name }) => `provider ${name}`),
    ...models.map(({ id }) => `model ${id}`),
    ...packages.map(({ name }) => `package ${name}`),
  ]
  for (const name of names) {
    if (seen.has(name)) return name
    seen.add(name)
  }
  return null
}
