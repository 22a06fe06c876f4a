/**
 * The names under which Redis keeps what admission needs. Whatever one decision reads carries the account in braces: by
 * this hash tag Redis Cluster keeps it on one server, where a script can read and change all of it in one step.
 */
export function windowKey(accountId: string, keyId: string): string {
  return `gw:{${accountId}}:${keyId}:window`
}

export function slotsKey(accountId: string, keyId: string): string {
  return `gw:{${accountId}}:${keyId}:slots`
}

export function balanceKey(accountId: string): string {
  return `gw:{${accountId}}:balance`
}
