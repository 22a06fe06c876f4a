/**
 * What all routes outside the inference path share: request ids, the error envelope for everything that can go wrong,
 * 404 and 405, schemas.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import Router from 'find-my-way'
import { refusals, type ServiceError, toEnvelope } from '#contract/errors.ts'
import { newId } from '#lib/id.ts'
import { findNul } from '#lib/nul.ts'
import { StorageUnavailable } from '#storage/storage.ts'
import { type Log, loggableError } from '#telemetry/log.ts'
import { answerClientError } from './client-error.ts'
import { noteRoutes } from './registered-routes.ts'

/** The framework with our schema language as its type provider. */
export type HttpApp = ReturnType<typeof createHttpApp>

export type FrameOptions = {
  readonly log: Log
  /** The proxies whose `X-Forwarded-For` is believed; false for none. */
  readonly trustProxy: string[] | false
  /** Makes the HTTP server around the framework's handler: the inference routes stand before it. */
  readonly serverFactory?: (handler: (request: IncomingMessage, response: ServerResponse) => void) => Server
}

const BODY_LIMIT_BYTES = 1024 * 1024

/** Sends an error in the envelope, with its headers. */
export function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  return reply
    .code(error.status)
    .headers(error.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(toEnvelope(error))
}

export function createHttpApp({ log, trustProxy, serverFactory }: FrameOptions) {
  const app = fastify({
    trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    genReqId: () => newId('req'),
    requestIdHeader: false,
    routerOptions: { maxParamLength: 400 },
    exposeHeadRoutes: false,
    clientErrorHandler: answerClientError,
    // An address that can't be decoded fails before any route is known.
    frameworkErrors: (error, _request, reply) => {
      sendError(reply.header('x-request-id', newId('req')), refusals.invalid(error.message))
    },
    ...(serverFactory ? { serverFactory } : {}),
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    log.info(
      {
        request_id: request.id,
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        latency_ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendError(reply, toServiceError(error, request, log)),
  )
  refuseNul(app)
  answerUnknownRoutes(app)
  noteRoutes(app)
  return app
}

function toServiceError(error: FastifyError, request: FastifyRequest, log: Log): ServiceError {
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    const path = first?.instancePath.replace(/^\//, '').replaceAll('/', '.') ?? ''
    const problem = first?.message ?? 'is not valid'
    return refusals.invalid(
      path ? `${path}: ${problem}` : `${error.validationContext ?? 'request'}: ${problem}`,
    )
  }
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return refusals.unsupportedMediaType()
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refusals.tooLarge(BODY_LIMIT_BYTES)
  }
  if (error instanceof StorageUnavailable) {
    log.error({ request_id: request.id, error: loggableError(error) }, 'the store did not answer')
    return refusals.unavailable('The service can not reach its records right now; try again shortly')
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return refusals.invalid(error.message)
  }
  log.error({ request_id: request.id, error: loggableError(error) }, 'a route failed')
  return refusals.internal()
}

/** What can't be stored is not taken in, wherever in a request it stands: see `lib/nul.ts`. */
function refuseNul(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body }, reply) => {
    const place = findNul(params) ?? findNul(query) ?? findNul(body)
    if (place === null) return
    return sendError(reply, refusals.invalid(`${place || 'request'}: must not hold the character U+0000`))
  })
}

/** 404 in the envelope, or 405 with `Allow` where the path exists for another method. */
function answerUnknownRoutes(app: FastifyInstance): void {
  const paths = Router({ maxParamLength: 400 })
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', route => {
    const methods = methodsOf.get(route.url) ?? new Set<string>()
    if (methods.size === 0) {
      methodsOf.set(route.url, methods)
      paths.on('GET', route.url, () => {}, methods)
    }
    for (const method of [route.method].flat()) methods.add(method)
  })
  app.setNotFoundHandler((request, reply) => {
    const found = paths.find('GET', request.url.split('?', 1)[0] ?? '/')
    // The store of every path registered above is its set of methods.
    const methods = found ? (found.store as Set<string>) : undefined
    // A route that has the method and finds nothing, such as that of the pages' files, ends here too.
    const hasMethod = methods?.has(request.method) === true
    return sendError(
      reply,
      methods && !hasMethod
        ? refusals.methodNotAllowed([...methods].join(', '))
        : refusals.notFound('No such route'),
    )
  })
}
