import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepingLog, openNode, openTemporaryStorage } from './catalog.fixture.ts'
import { PROVIDER_PRESETS } from './environment-presets.ts'
import {
  ENVIRONMENT_KEY_NAMES,
  findEnvironmentProviders,
  setUpEnvironmentProviders,
} from './environment-providers.ts'
import { loadListPrices } from './list-price.ts'

const NOW = Date.UTC(2026, 10, 21, 2)

let store: Awaited<ReturnType<typeof openTemporaryStorage>>
beforeAll(async () => {
  store = await openTemporaryStorage()
})
afterAll(() => store.close())

describe('keys in the environment', () => {
  test('name the providers they belong to; blank and unknown ones name none', () => {
    const found = findEnvironmentProviders({
      ANTHROPIC_API_KEY: ' sk-ant-1 ',
      OPENAI_API_KEY: '',
      GROQ_API_KEY: '  ',
      XAI_API_KEY: undefined,
      OTHER_API_KEY: 'x',
    })
    expect(found.map(({ preset, credential }) => [preset.name, credential])).toEqual([
      ['Anthropic', 'sk-ant-1'],
    ])
    expect(ENVIRONMENT_KEY_NAMES).toContain('GEMINI_API_KEY')
  })

  test('set up their providers and models, weighed by the list, once, in the name of the system', async () => {
    const { log, lines } = keepingLog()
    const node = await openNode({ storage: store.storage })
    const secret = 'sk-ant-secret-value'
    const found = findEnvironmentProviders({ ANTHROPIC_API_KEY: secret, OPENAI_API_KEY: secret })
    const made = await setUpEnvironmentProviders(found, { ...node, log, nowMs: NOW })
    expect(made.providers).toEqual(['OpenAI', 'Anthropic'])
    expect(lines).toEqual([])
    const model = node.catalog.current().models.get('claude-haiku-4-5')
    expect(model?.weights.given).toEqual({
      input: 1,
      cache_read: 0.1,
      cache_write: 1.25,
      cache_write_1h: 2,
      output: 5,
    })
    expect(model?.routes).toMatchObject([
      {
        upstreamModel: 'claude-haiku-4-5',
        provider: { baseUrl: 'https://api.anthropic.com/v1', credential: secret },
      },
    ])
    const embedding = node.catalog.current().models.get('text-embedding-3-small')
    expect([...(embedding?.endpoints ?? [])]).toEqual(['embeddings'])
    expect(embedding?.weights.given.output).toBe(0)
    const { items } = await node.audit.list({ limit: 100, after: null })
    expect(items.every(entry => entry.actor.type === 'system')).toBe(true)
    expect(JSON.stringify(items)).not.toContain(secret)

    const again = await setUpEnvironmentProviders(found, { ...node, log, nowMs: NOW })
    expect(again).toEqual({ providers: [], models: [] })
    expect(lines.join()).toContain('OpenAI')
    expect(lines.join()).not.toContain(secret)
    node.catalog.close()
  })
})

describe('the presets', () => {
  test('all have a list price, and no two models share an id', async () => {
    const findListPrice = await loadListPrices(NOW)
    const ids = PROVIDER_PRESETS.flatMap(({ priceListId, models }) =>
      models.map(({ id, upstreamModel, endpoint }) => {
        const question = { provider: priceListId, model: upstreamModel, endpoint }
        expect(findListPrice(question)?.weights, id).not.toBeNull()
        return id
      }),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('take the dearest price of the day, and a tier for each step of one that rises with the prompt', async () => {
    const atNight = await loadListPrices(Date.UTC(2026, 10, 21, 23))
    const atNoon = await loadListPrices(Date.UTC(2026, 10, 21, 12))
    const byHour = { provider: 'deepseek', model: 'deepseek-v4-pro', endpoint: 'chat' } as const
    expect(atNight(byHour)?.weights?.input).toBe(1.32)
    expect(atNoon(byHour)).toEqual(atNight(byHour))
    const byLength = { provider: 'openai', model: 'gpt-6-sol', endpoint: 'chat' } as const
    expect(atNoon(byLength)?.weights).toEqual({
      input: 2,
      cache_read: 0.2,
      cache_write: 2.5,
      output: 10,
      tiers: [
        {
          above_input_tokens: 272_000,
          weights: { input: 4, cache_read: 0.4, cache_write: 5, output: 15 },
        },
      ],
    })
  })

  test('weigh cache tokens as input where the list is silent, and nothing of a model it does not know', async () => {
    const findListPrice = await loadListPrices(NOW)
    const groq = { provider: 'groq', model: 'llama-3.3-70b-versatile', endpoint: 'chat' } as const
    expect(findListPrice(groq)?.weights).toEqual({
      input: 0.59,
      cache_read: 0.59,
      cache_write: 0.59,
      output: 0.79,
    })
    expect(findListPrice({ ...groq, model: 'no-such-model' })).toBeNull()
    const embedding = { provider: 'openai', model: 'text-embedding-3-small', endpoint: 'chat' } as const
    expect(findListPrice(embedding)?.weights).toBeNull()
  })
})
