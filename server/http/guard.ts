import type { FastifyReply, FastifyRequest } from 'fastify'
import { refusals } from '#contract/errors.ts'
import type { Actor } from '#domains/audit/audit.ts'
import type { SignedIn, SignedInAdministrator, SignedInUser } from '#domains/identity/people.ts'
import { sendError } from './frame.ts'
import type { SessionCookie } from './session-cookie.ts'

/** An `onRequest` hook that answers 401 unless the right person is signed in. */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export type GuardOptions<Person> = {
  readonly cookie: SessionCookie
  /** Who a session token stands for; null when it is unknown, expired, or the person may no longer sign in. */
  readonly findPerson: (token: string) => Promise<Person | null>
}

const users = new WeakMap<FastifyRequest, SignedInUser>()
const administrators = new WeakMap<FastifyRequest, SignedInAdministrator>()

/** An `onRequest` hook that lets only users of the portal pass; the routes behind it ask `userOf(request)`. */
export function requireUser(options: GuardOptions<SignedInUser>): Guard {
  return requirePerson(options, users)
}

/** An `onRequest` hook that lets only administrators pass; the routes behind it ask `administratorOf(request)`. */
export function requireAdministrator(options: GuardOptions<SignedInAdministrator>): Guard {
  return requirePerson(options, administrators)
}

// On request, not before the handler: a stranger's body is neither read nor judged.
function requirePerson<Person>(
  { cookie, findPerson }: GuardOptions<Person>,
  people: WeakMap<FastifyRequest, Person>,
): Guard {
  return async (request, reply) => {
    const token = cookie.read(request)
    const person = token === null ? null : await findPerson(token)
    if (person === null) return sendError(reply, refusals.unauthenticated('Sign in to continue'))
    people.set(request, person)
  }
}

/** The user behind a request. Throws on a route that is not guarded by `requireUser`: that is a defect of ours. */
export function userOf(request: FastifyRequest): SignedInUser {
  return getPerson(users, request)
}

/** The administrator behind a request. Throws on a route that is not guarded by `requireAdministrator`. */
export function administratorOf(request: FastifyRequest): SignedInAdministrator {
  return getPerson(administrators, request)
}

/** Whoever is behind a request, in either realm. Throws on a route that is not guarded. */
export function personOf(request: FastifyRequest): SignedIn {
  return users.get(request) ?? administratorOf(request)
}

/** The administrator behind a request as the audit log names them. */
export function actorOf(request: FastifyRequest): Actor {
  return { type: 'administrator', id: administratorOf(request).id }
}

function getPerson<Person>(people: WeakMap<FastifyRequest, Person>, request: FastifyRequest): Person {
  const person = people.get(request)
  if (person === undefined) throw new Error('This route is not guarded')
  return person
}
