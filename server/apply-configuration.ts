import { readFile } from 'node:fs/promises'
import type { Configuration } from '#domains/configuration/apply.ts'
import { readConfigurationFile } from '#domains/configuration/configuration-file.ts'
import type { Log } from '#telemetry/log.ts'
import { type Config, ConfigurationError } from './config.ts'

/**
 * Applies the configuration file that the environment names, before anything is served. Throws one clear line when it
 * can't be read or applied: a service that is half set up must not start.
 */
export async function applyConfigurationFile(
  configuration: Configuration,
  { configFile }: Pick<Config, 'configFile'>,
  log: Log,
): Promise<void> {
  if (configFile === null) return
  const file = readConfigurationFile(await readText(configFile.path), configFile.readVariable)
  if (!file.ok) throw new ConfigurationError(`${configFile.path} ${file.refusal}`)
  const applied = await configuration.apply(file.value)
  if (!applied.ok) throw new ConfigurationError(`${configFile.path} can not be applied: ${applied.refusal}`)
  for (const { action, kind, name } of applied.value)
    log.info({ action, kind, name }, 'configuration applied')
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new ConfigurationError(`GOLDWEIGHT_CONFIG_FILE ${path} can not be read (${reason})`)
  }
}
