/** The portal with a mail server and another service to sign in through. */
import type { Browser } from '@playwright/test'
import { findFreePort } from '#test/support/free-port.ts'
import { startGateway, type TestGateway } from '#test/support/gateway.ts'
import { type MailServer, startMailServer } from '#test/support/mail-server.ts'
import { type OpenidProvider, startOpenidProvider } from '#test/support/openid-provider.ts'
import { PASSWORD } from './portal-stage.ts'
import { connectBrowser, type Look, openVisitor, type Visitor } from './visitor.ts'

export type IdentityStage = {
  readonly gateway: TestGateway
  readonly mails: MailServer
  readonly provider: OpenidProvider
  visit(look?: Look): Promise<Visitor>
  /** A visitor who has signed up and looks at this page. */
  visitSignedIn(path: string, look?: Look): Promise<Visitor & { readonly email: string }>
  close(): Promise<void>
}

let visitors = 0

export async function startIdentityStage(): Promise<IdentityStage> {
  const [mails, browser] = await Promise.all([startMailServer(), connectBrowser()])
  const port = await findFreePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const provider = await startOpenidProvider([`${publicUrl}/client/oidc/callback`])
  const gateway = await startGateway({
    port,
    publicUrl,
    mail: { url: mails.url, from: 'Goldweight <gold@example.org>', publicUrl },
    oidc: { ...provider, name: 'Acme Login', publicUrl },
  })
  const visit = (look?: Look) => openVisitor(browser, gateway.url, look)
  return {
    gateway,
    mails,
    provider,
    visit,
    visitSignedIn: async (path, look) => {
      const visitor = await visit(look)
      const email = `ama${++visitors}@example.org`
      const reply = await visitor.context.request.post('/client/sign-up', {
        data: { email, password: PASSWORD, name: 'Ama Mensah' },
      })
      if (!reply.ok()) throw new Error(`Signing up failed: ${reply.status()} ${await reply.text()}`)
      await visitor.page.goto(path)
      return { ...visitor, email }
    },
    close: () => closeAll(browser, { gateway, provider, mails }),
  }
}

async function closeAll(
  browser: Browser,
  { gateway, provider, mails }: Pick<IdentityStage, 'gateway' | 'provider' | 'mails'>,
): Promise<void> {
  await browser.close()
  await gateway.close()
  await provider.close()
  await mails.close()
}
