import { DEMO_KIND } from '#domains/catalog/provider-input.ts'
import type { CurrentItems } from './current-items.ts'
import { createVariableNames, escapeTexts, toVariableName } from './variables.ts'
import { writeYaml } from './write-yaml.ts'

/**
 * The running service as a configuration file. Secrets are not in it: where there is one stands the name of the
 * variable that has to hold it. The demonstration upstream belongs to no file and is left out.
 */
export function exportConfiguration({ settings, providers, models, packages }: CurrentItems): string {
  const exported = providers.filter(provider => provider.kind !== DEMO_KIND)
  const names = new Map(exported.map(({ id, name }) => [id, name]))
  const secrets = nameSecrets(exported)
  return writeYaml({
    settings: escapeTexts(settings),
    providers: exported.map(
      ({
        id,
        object: _object,
        created_at: _made,
        has_credential: _has,
        further_credentials: _further,
        headers: _headers,
        ...rest
      }) => ({ ...escapeTexts(rest), ...secrets.get(id) }),
    ),
    models: escapeTexts(
      models
        .filter(model => model.routes.every(route => names.has(route.provider_id)))
        .map(({ object: _object, created_at: _made, routes, ...rest }) => ({
          ...rest,
          routes: routes.map(({ id: _id, provider_id, ...route }) => ({
            provider: names.get(provider_id),
            ...route,
          })),
        })),
    ),
    packages: escapeTexts(
      onePerName(packages).map(({ name, credits, price, on_sale, position }) => ({
        name,
        credits,
        price,
        on_sale,
        position,
      })),
    ),
  })
}

/** A file can name each once. What was sold and replaced stays on record beside what is on sale: that one is meant. */
function onePerName(packages: CurrentItems['packages']): CurrentItems['packages'] {
  return packages.filter(each => {
    const sharing = packages.filter(({ name }) => name === each.name)
    return each === (sharing.find(({ on_sale }) => on_sale) ?? sharing[0])
  })
}

/**
 * The fields of each provider that hold secrets, with variables in their place, by its id. Headers are among them: they
 * may hold secrets, and are shown masked.
 */
function nameSecrets(providers: CurrentItems['providers']): ReadonlyMap<string, object> {
  const variableFor = createVariableNames()
  // In rounds, so that what a provider gets besides its credential takes no other provider's name.
  const credentials = new Map(
    providers
      .filter(({ has_credential }) => has_credential)
      .map(({ id, name }) => [id, variableFor(`${toVariableName(name)}_CREDENTIAL`, ['credential', name])]),
  )
  const further = new Map(
    providers.map(({ id, name: provider, further_credentials }) => [
      id,
      further_credentials.map(({ name }) => ({
        name: escapeTexts(name),
        credential: variableFor(`${toVariableName(`${provider}_${name}`)}_CREDENTIAL`, [
          'further',
          provider,
          name,
        ]),
      })),
    ]),
  )
  return new Map(
    providers.map(({ id, name: provider, headers }) => {
      const named = Object.keys(headers).map(name => [
        name,
        variableFor(`${toVariableName(provider)}_${toVariableName(name)}`, ['header', provider, name]),
      ])
      const credential = credentials.get(id)
      const others = further.get(id) ?? []
      return [
        id,
        {
          ...(others.length === 0 ? {} : { further_credentials: others }),
          ...(credential === undefined ? {} : { credential }),
          ...(named.length === 0 ? {} : { headers: Object.fromEntries(named) }),
        },
      ]
    }),
  )
}
