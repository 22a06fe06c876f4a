import type { Route } from '@playwright/test'

/** Answers a call of a page as a service does that has lost its store. */
export function refuse(route: Route): Promise<void> {
  const error = {
    message: 'The service can not reach its records right now',
    type: 'service_unavailable',
    code: null,
  }
  return route.fulfill({ status: 503, headers: { 'x-request-id': 'req_test' }, json: { error } })
}
