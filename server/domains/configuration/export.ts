import { stringify } from 'yaml'
import { DEMO_KIND } from '#domains/catalog/provider-input.ts'
import type { CurrentItems } from './current-items.ts'

/**
 * The running service as a configuration file. Secrets are not in it: where there is one stands the name of the
 * variable that has to hold it. The demonstration upstream belongs to no file and is left out.
 */
export function exportConfiguration({ settings, providers, models, packages }: CurrentItems): string {
  const exported = providers.filter(provider => provider.kind !== DEMO_KIND)
  const names = new Map(exported.map(({ id, name }) => [id, name]))
  return stringify({
    settings,
    providers: exported.map(
      ({
        id: _id,
        object: _object,
        created_at: _made,
        has_credential,
        further_credentials,
        headers,
        ...rest
      }) => ({
        ...rest,
        ...(further_credentials.length === 0
          ? {}
          : {
              further_credentials: further_credentials.map(({ name }) => ({
                name,
                credential: `\${${variableName(`${rest.name}_${name}`)}_CREDENTIAL}`,
              })),
            }),
        ...(has_credential ? { credential: `\${${variableName(rest.name)}_CREDENTIAL}` } : {}),
        ...(Object.keys(headers).length === 0 ? {} : { headers: namedHeaders(rest.name, headers) }),
      }),
    ),
    models: models
      .filter(model => model.routes.every(route => names.has(route.provider_id)))
      .map(({ object: _object, created_at: _made, routes, ...rest }) => ({
        ...rest,
        routes: routes.map(({ id: _id, provider_id, ...route }) => ({
          provider: names.get(provider_id),
          ...route,
        })),
      })),
    packages: onePerName(packages).map(({ name, credits, price, on_sale, position }) => ({
      name,
      credits,
      price,
      on_sale,
      position,
    })),
  })
}

/** A file can name each once. What was sold and replaced stays on record beside what is on sale: that one is meant. */
function onePerName(packages: CurrentItems['packages']): CurrentItems['packages'] {
  return packages.filter(each => {
    const sharing = packages.filter(({ name }) => name === each.name)
    return each === (sharing.find(({ on_sale }) => on_sale) ?? sharing[0])
  })
}

/** Headers may hold secrets, and are shown masked: each stands as a variable. */
function namedHeaders(provider: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(headers).map(name => [name, `\${${variableName(provider)}_${variableName(name)}}`]),
  )
}

function variableName(text: string): string {
  const name = text.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
  return /^[0-9]/.test(name) ? `_${name}` : name
}
