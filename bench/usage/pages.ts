/** What the pages of the applications ask for, each with the widest that they offer. */

export type PageCall = { readonly page: string; readonly path: string; readonly realm: 'client' | 'admin' }

export type Known = {
  readonly accountId: string
  /** The busiest key of the account, and one that is hardly used. */
  readonly keyId: string
  readonly rareKeyId: string
  readonly requestId: string
  readonly nowMs: number
}

const DAY_MS = 86_400_000

/** The calls of every page that shows usage, requests or credits. */
export function pageCalls({ accountId, keyId, rareKeyId, requestId, nowMs }: Known): PageCall[] {
  const ago = (days: number) => new Date(nowMs - days * DAY_MS).toISOString()
  const client: [page: string, ...paths: string[]][] = [
    ['Overview', '/client/me', '/client/keys?limit=100', '/client/live', '/client/requests?limit=5'],
    ['Overview', `/client/usage?from=${ago(30)}&tz=%2B02:00&top=4`],
    ['Usage', `/client/usage?from=${ago(30)}&tz=%2B02:00&group_by=model&top=4`],
    ['Usage', '/client/usage?group_by=model'],
    ['Usage', `/client/usage?from=${ago(90)}&group_by=model`, `/client/usage?from=${ago(90)}&group_by=key`],
    ['Usage', `/client/usage?from=${ago(365)}&group_by=model&key_id=${keyId}`],
    ['Usage', `/client/usage?from=${ago(90)}&tz=%2B02:00`],
    ['Usage', '/client/usage?bucket=hour', `/client/usage?bucket=hour&from=${ago(7)}&group_by=model`],
    ['Usage', `/client/usage?bucket=hour&from=${ago(31)}&group_by=key`],
    [
      'Requests',
      '/client/requests',
      '/client/requests?status=failed',
      `/client/requests?key_id=${rareKeyId}`,
    ],
    ['Requests', '/client/requests?model=vendor%2Fmodel-11&status=cancelled&limit=100'],
    ['Requests', `/client/requests?from=${ago(60)}&to=${ago(59)}`, '/client/requests?model=none'],
    ['Request', `/client/requests/${requestId}`],
    ['Credits', '/client/ledger', '/client/ledger?kind=purchase,grant', `/client/ledger?to=${ago(45)}`],
    ['Credits', '/client/packages'],
    ['Keys', '/client/keys', '/client/live'],
  ]
  const admin: typeof client = [
    ['Overview of all', '/admin/overview', `/admin/overview?from=${ago(30)}`],
    ['Overview of all', '/admin/usage?bucket=hour&group_by=provider&top=1'],
    ['Accounts', '/admin/accounts?search=9', `/admin/accounts/${accountId}/ledger`],
    ['Users and keys', '/admin/users?search=9', '/admin/keys?search=9'],
    ['Usage of all', '/admin/usage?group_by=model', '/admin/usage?group_by=account'],
    ['Usage of all', `/admin/usage?from=${ago(90)}&group_by=provider`],
    ['Usage of all', `/admin/usage?bucket=hour&from=${ago(7)}&group_by=model`],
    ['Usage of all', `/admin/usage?account_id=${accountId}&group_by=key`],
    ['Requests of all', '/admin/requests', '/admin/requests?status=failed&provider=Provider%201'],
    ['Requests of all', `/admin/requests?key_id=${rareKeyId}`, `/admin/requests?id=${requestId}`],
    ['Accounts', '/admin/accounts', '/admin/accounts?search=company%20777', '/admin/accounts?search=zzz'],
    ['Account', `/admin/accounts/${accountId}`, `/admin/accounts/${accountId}/ledger`],
    ['Users', '/admin/users', '/admin/users?search=person-9999', `/admin/users?account_id=${accountId}`],
    ['Keys of all', '/admin/keys', '/admin/keys?search=key%204', `/admin/keys?account_id=${accountId}`],
    ['What is sold', '/admin/orders', '/admin/packages'],
    ['Audit log', '/admin/audit'],
  ]
  const toCalls = (realm: PageCall['realm'], pages: typeof client) =>
    pages.flatMap(([page, ...paths]) => paths.map(path => ({ page, path, realm })))
  return [...toCalls('client', client), ...toCalls('admin', admin)]
}
