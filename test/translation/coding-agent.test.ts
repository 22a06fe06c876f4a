/**
 * A coding agent's command-line client that speaks `/v1/messages` (npm: @anthropic-ai/claude-code, shown with 2.1.329) does its
 * work through the gateway. It is larger than all else that tests need, so it is no dependency: CODING_AGENT says where it is.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCaller } from '#test/support/admin-client.ts'
import { expectBooksToAddUp, readBooks } from '#test/support/books.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { makeTemporaryFolder } from '#test/support/temporary-folder.ts'
import { MOCK_USAGE } from './mock-upstream.ts'

const PROGRAM = process.env.CODING_AGENT
const MODEL = 'claude-sonnet-4-5'
const ANSWER = 'It weighs 42 grams.'

describe.runIf(PROGRAM !== undefined)('the command-line client of a coding agent', () => {
  let mock: LLMock
  let gateway: TestGateway
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>
  let file: string
  beforeAll(async () => {
    folder = await makeTemporaryFolder()
    file = join(folder.path, 'note.txt')
    await writeFile(file, `${ANSWER}\n`)
    mock = new LLMock({ port: 0, logLevel: 'silent' })
    mock.on({ hasToolResult: true }, { content: ANSWER, usage: MOCK_USAGE }).onMessage(/weigh/, {
      toolCalls: [{ name: 'Read', arguments: JSON.stringify({ file_path: file }) }],
      usage: MOCK_USAGE,
    })
    await mock.start()
    gateway = await startGateway()
  })
  afterAll(async () => {
    await gateway.close()
    await mock.stop()
    await folder.remove()
  })

  /** Asks once and gives what the program says, all of which is JSON. */
  function ask(token: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = execFile(
        PROGRAM ?? '',
        ['-p', 'What does it weigh? See note.txt', '--model', MODEL, '--output-format', 'json'],
        {
          cwd: folder.path,
          timeout: 60_000,
          env: {
            PATH: process.env.PATH ?? '',
            HOME: folder.path,
            ANTHROPIC_BASE_URL: gateway.url,
            ANTHROPIC_AUTH_TOKEN: token,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          },
        },
        (error, stdout) => (error ? reject(error) : resolve(stdout)),
      )
      child.stdin?.end()
    })
  }

  test.each([
    ['anthropic', 'claude-sonnet-4-5'],
    ['openai', 'gpt-5.4-mini'],
  ])(
    'reads a file and answers, before an upstream of kind %s',
    async (kind, upstreamModel) => {
      const provider = await gateway.admin.call<{ id: string }>('POST', '/admin/providers', {
        name: kind,
        kind,
        base_url: `${mock.url}/v1`,
        credential: 'a-key',
      })
      const model = {
        weights: { input: 2, cache_read: 1, cache_write: 3, output: 10 },
        routes: [{ provider_id: provider.id, upstream_model: upstreamModel }],
      }
      const isFirst = kind === 'anthropic'
      await gateway.admin.call(isFirst ? 'POST' : 'PATCH', `/admin/models${isFirst ? '' : `/${MODEL}`}`, {
        ...(isFirst ? { id: MODEL } : {}),
        ...model,
      })
      const caller = await makeCaller(gateway.admin)
      expect(JSON.parse(await ask(caller.token))).toMatchObject({ is_error: false, result: ANSWER })
      const books = await readBooks(gateway.app.storage, caller.accountId)
      expectBooksToAddUp(books)
      // The question, and the result of the tool: each is a stream that was charged by what the upstream reports.
      const succeeded = books.requests.filter(({ status }) => status === 'succeeded')
      expect(succeeded.map(({ endpoint, charge_micros }) => [endpoint, charge_micros])).toEqual([
        ['messages', 110n],
        ['messages', 110n],
      ])
    },
    90_000,
  )
})
