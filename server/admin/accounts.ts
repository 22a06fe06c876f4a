import { z } from 'zod'
import {
  account,
  accountPage,
  accountQuery,
  closeAccount,
  createAccount,
  patchAccount,
} from '#contract/accounts.ts'
import { refusals } from '#contract/errors.ts'
import { creditChange, ledgerEntry, ledgerPage, ledgerQuery } from '#contract/ledger.ts'
import { type HttpApp, sendError } from '#server/http/frame.ts'
import { actorOf } from '#server/http/guard.ts'
import { pageReply, toPageRequest } from '#server/http/paging.ts'
import type { AdminParts } from './admin-parts.ts'
import { OWNERS_ONLY } from './roles.ts'

const params = z.object({ id: z.string() })

export function registerAccountRoutes(app: HttpApp, parts: AdminParts): void {
  const { accounts } = parts

  app.get(
    '/admin/accounts',
    { schema: { querystring: accountQuery, response: { 200: accountPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      return reply.send(pageReply(await accounts.list(request.query, page.value)))
    },
  )

  app.post(
    '/admin/accounts',
    { schema: { body: createAccount, response: { 201: account } } },
    async (request, reply) => {
      const outcome = await accounts.create(request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.get(
    '/admin/accounts/:id',
    { schema: { params, response: { 200: account } } },
    async (request, reply) => {
      const found = await accounts.find(request.params.id)
      return found ? reply.send(found) : sendError(reply, refusals.notFound('No such account'))
    },
  )

  app.patch(
    '/admin/accounts/:id',
    { schema: { params, body: patchAccount, response: { 200: account } } },
    async (request, reply) => {
      const outcome = await accounts.patch(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  registerClosingRoutes(app, parts)
  registerCreditRoutes(app, parts)
}

function registerClosingRoutes(app: HttpApp, { accounts }: AdminParts): void {
  app.post(
    '/admin/accounts/:id/close',
    { schema: { params, body: closeAccount, response: { 200: account } } },
    async (request, reply) => {
      const outcome = await accounts.close(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.post(
    '/admin/accounts/:id/reopen',
    { config: OWNERS_ONLY, schema: { params, response: { 200: account } } },
    async (request, reply) => {
      const outcome = await accounts.reopen(request.params.id, actorOf(request))
      return outcome.ok ? reply.send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )
}

function registerCreditRoutes(app: HttpApp, { accounts, credits }: AdminParts): void {
  app.post(
    '/admin/accounts/:id/credits',
    { schema: { params, body: creditChange, response: { 201: ledgerEntry } } },
    async (request, reply) => {
      const outcome = await credits.change(request.params.id, request.body, actorOf(request))
      return outcome.ok ? reply.code(201).send(outcome.value) : sendError(reply, outcome.refusal)
    },
  )

  app.get(
    '/admin/accounts/:id/ledger',
    { schema: { params, querystring: ledgerQuery, response: { 200: ledgerPage } } },
    async (request, reply) => {
      const page = toPageRequest(request.query)
      if (!page.ok) return sendError(reply, page.refusal)
      const found = await accounts.find(request.params.id)
      if (!found) return sendError(reply, refusals.notFound('No such account'))
      return reply.send(pageReply(await credits.listEntries(found.id, request.query, page.value)))
    },
  )
}
