import type { ProviderVerdict } from '#contract/provider-models.ts'
import {
  askProvider,
  hideSecrets,
  type Judgement,
  judgeFault,
  judgeStatus,
  type ProviderAnswer,
} from './ask-provider.ts'
import type { KnownModels, ListingOf, ModelListing, ToldModel } from './model-listing.ts'
import type { CatalogProvider } from './snapshot.ts'

/** What became of a test call. The message is for administrators: it never holds a credential. */
export type ProviderTest = {
  readonly ok: boolean
  readonly verdict: ProviderVerdict
  readonly latency_ms: number
  readonly message: string
}

export type ProviderModels = ProviderTest & { readonly models: readonly ToldModel[] }

/** Questions to providers that cost nothing. */
export type ProviderProbes = {
  /** A provider that does not answer as expected fails though it may serve chat; the message says what it answered. */
  testProvider(provider: CatalogProvider): Promise<ProviderTest>
  /** All models that a provider tells of; none where the verdict is not `ok`. */
  discoverModels(provider: CatalogProvider): Promise<ProviderModels>
}

type Finding = Judgement & { readonly models: readonly ToldModel[] }

export function createProviderProbes(listingOf: ListingOf): ProviderProbes {
  return {
    testProvider: async provider => {
      const { models, ...test } = await probe(provider, () => testOnce(listingOf(provider.kind), provider))
      return test
    },
    discoverModels: provider => probe(provider, () => discoverAll(listingOf(provider.kind), provider)),
  }
}

async function probe(provider: CatalogProvider, find: () => Promise<Finding>): Promise<ProviderModels> {
  const startedAt = performance.now()
  const { verdict, message, models } = await find().catch(error => ({ ...judgeFault(error), models: [] }))
  return {
    ok: verdict === 'ok',
    verdict,
    latency_ms: Math.round(performance.now() - startedAt),
    message: hideSecrets(message, provider),
    models,
  }
}

async function testOnce(listing: ModelListing | KnownModels, provider: CatalogProvider): Promise<Finding> {
  if ('known' in listing) return runsHere(listing)
  if (listing.missingModel) {
    const answer = await askProvider(await listing.missingModel(provider), provider)
    return { ...judgeNoSuchModel(answer), models: [] }
  }
  const [question] = await listing.questions(provider)
  if (!question) throw new Error('There is nothing to ask')
  return readList(listing, await askProvider(question, provider))
}

async function discoverAll(listing: ModelListing | KnownModels, provider: CatalogProvider): Promise<Finding> {
  if ('known' in listing) return runsHere(listing)
  const models = new Map<string, ToldModel>()
  let last: Finding = { verdict: 'unexpected_answer', message: 'There is nothing to ask', models: [] }
  for (const question of await listing.questions(provider)) {
    last = readList(listing, await askProvider(question, provider))
    if (last.verdict !== 'ok') return { ...last, models: [] }
    for (const model of last.models) models.set(model.upstreamModel, model)
  }
  const message = `The provider lists ${countOf(models.size)}.${listing.note ? ` ${listing.note}` : ''}`
  return { ...last, message, models: [...models.values()] }
}

function runsHere({ known }: KnownModels): Finding {
  return { verdict: 'ok', message: 'The demonstration upstream runs inside this process', models: known }
}

function readList(listing: ModelListing, answer: ProviderAnswer): Finding {
  const { status, body } = answer
  if (status < 200 || status > 299) return { ...judgeStatus(answer), models: [] }
  const models = body === null ? null : listing.read(parse(body))
  if (models === null) {
    return {
      verdict: 'unexpected_answer',
      message: `The provider answered ${status}, but not with a list of models; is the base URL right?`,
      models: [],
    }
  }
  return {
    verdict: 'ok',
    message: `The provider answered ${status} and lists ${countOf(models.length)}`,
    models,
  }
}

/** A wrong address or credential is told otherwise than a name that no model bears. */
function judgeNoSuchModel(answer: ProviderAnswer): Judgement {
  const { status } = answer
  const told = answer.body ?? 'a body that is far too long'
  const isMissing = (status === 400 || status === 404) && /model|profile/i.test(told) && told.startsWith('{')
  if (!isMissing) return judgeStatus(answer)
  return {
    verdict: 'ok',
    message: `The provider answered ${status}, as it does to a call of a model that it has not: ${told}`,
  }
}

function countOf(models: number): string {
  return models === 1 ? '1 model' : `${models} models`
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}
