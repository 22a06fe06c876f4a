/** The whole service with a model on an upstream and a browser before it: what every test of the portal needs. */
import type { Browser } from '@playwright/test'
import type { StripeAccess } from '#domains/orders/stripe/stripe-client.ts'
import { makeModel } from '#test/support/admin-client.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { startUpstream, type Upstream } from '#test/support/upstream.ts'
import { connectBrowser, type Look, openVisitor, type Visitor } from './visitor.ts'

export const MODEL = 'acme/scale-1'
export const PASSWORD = 'correct horse battery'

export type PortalStage = {
  readonly gateway: TestGateway
  readonly upstream: Upstream
  readonly browser: Browser
  /** A visitor whom nobody knows yet. */
  visit(look?: Look): Promise<Visitor>
  /** A visitor who has signed up, with the credits given, and looks at the overview. */
  visitSignedIn(options?: Look & { readonly credits?: number }): Promise<Visitor & Member>
  close(): Promise<void>
}

export type Member = { readonly email: string; readonly accountId: string; readonly userId: string }

let visitors = 0

export async function startPortalStage({
  stripe = null,
}: {
  readonly stripe?: StripeAccess | null
} = {}): Promise<PortalStage> {
  const [upstream, gateway, browser] = await Promise.all([
    startUpstream(),
    startGateway({ stripe }),
    connectBrowser(),
  ])
  await makeModel(gateway.admin, MODEL, { routes: [{ baseUrl: upstream.baseUrl }] })
  const visit = (look?: Look) => openVisitor(browser, gateway.url, look)

  return {
    gateway,
    upstream,
    browser,
    visit,
    visitSignedIn: async ({ credits = 100, ...look } = {}) => {
      const visitor = await visit(look)
      const email = `ama${++visitors}@example.org`
      const { request } = visitor.context
      const reply = await request.post('/client/sign-up', {
        data: { email, password: PASSWORD, name: 'Ama Mensah' },
      })
      if (!reply.ok()) throw new Error(`Signing up failed: ${reply.status()} ${await reply.text()}`)
      const { user, account } = await reply.json()
      if (credits > 0) {
        const grant = { amount: credits, kind: 'grant', note: 'Welcome' }
        await gateway.admin.call('POST', `/admin/accounts/${account.id}/credits`, grant)
      }
      await visitor.page.goto('/portal/')
      return { ...visitor, email, accountId: account.id, userId: user.id }
    },
    close: async () => {
      await browser.close()
      await gateway.close()
      await upstream.close()
    },
  }
}
