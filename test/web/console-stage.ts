/** The whole service with a model on an upstream and a browser before it: what every test of the console needs. */
import type { AdministratorRole } from '#contract/administrators.ts'
import { ADMIN } from '#test/support/admin-client.ts'
import { PASSWORD, type PortalStage, startPortalStage } from './portal-stage.ts'
import type { Look, Visitor } from './visitor.ts'

export type ConsoleStage = PortalStage & {
  /** An administrator who is signed in and looks at this page of the console: the owner, or one made for the role. */
  visitConsole(path: string, options?: Look & { readonly role?: AdministratorRole }): Promise<Visitor>
}

let administrators = 0

export async function startConsoleStage(): Promise<ConsoleStage> {
  const stage = await startPortalStage()
  const { admin } = stage.gateway

  async function credentialsOf(role: AdministratorRole) {
    if (role === 'owner') return ADMIN
    const credentials = { email: `${role}${++administrators}@example.org`, password: PASSWORD }
    await admin.call('POST', '/admin/administrators', { ...credentials, name: `Esi the ${role}`, role })
    return credentials
  }

  return {
    ...stage,
    visitConsole: async (path, { role = 'owner', ...look } = {}) => {
      const visitor = await stage.visit(look)
      const data = await credentialsOf(role)
      const reply = await visitor.context.request.post('/admin/sign-in', { data })
      if (!reply.ok()) throw new Error(`Signing in failed: ${reply.status()} ${await reply.text()}`)
      await visitor.page.goto(`/console${path}`)
      return visitor
    },
  }
}
