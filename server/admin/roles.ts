import type { FastifyRequest } from 'fastify'
import type { AdministratorRole } from '#contract/administrators.ts'
import { refusals } from '#contract/errors.ts'
import type { SettingsRegister } from '#domains/settings/settings.ts'
import { sendError } from '#server/http/frame.ts'
import { administratorOf, type Guard } from '#server/http/guard.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call an admin route; without it every administrator may read, and all but viewers may change. */
    readonly admits?: 'owners'
  }
}

/** For routes that decide about administrators and the whole service. */
export const OWNERS_ONLY = { admits: 'owners' } as const

const READING = new Set(['GET', 'HEAD'])

/** Behind the guard of administrators: 403 for what a role does not include, and while a second factor is missing. */
export function requireRole(settings: Pick<SettingsRegister, 'get'>): Guard {
  return async (request, reply) => {
    const administrator = administratorOf(request)
    const { role } = administrator
    if (!mayCall(role, request)) {
      return sendError(reply, refusals.forbidden(`The role '${role}' does not include this`))
    }
    if (!(await lacksSecondFactor(settings, administrator))) return
    return sendError(reply, {
      ...refusals.forbidden('Set up a second factor first: this service requires one of its administrators'),
      code: 'two_factor_required',
    })
  }
}

/** Whether all else is refused to somebody until they have set up a second factor. */
export async function lacksSecondFactor(
  settings: Pick<SettingsRegister, 'get'>,
  { hasSecondFactor }: { readonly hasSecondFactor: boolean },
): Promise<boolean> {
  return !hasSecondFactor && (await settings.get()).require_two_factor
}

function mayCall(role: AdministratorRole, request: FastifyRequest): boolean {
  switch (role) {
    case 'owner':
      return true
    case 'operator':
      return request.routeOptions.config.admits !== 'owners'
    case 'viewer':
      return READING.has(request.method)
  }
}
