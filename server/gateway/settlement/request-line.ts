import type { RequestRow } from '#storage/tables.ts'

/** The line of a request in the log: enough to find its record by, and to see how it went. */
export function requestLine(row: RequestRow): string {
  // Identifiers and our own words need no escaping; what others named does.
  return (
    `"msg":"request","request_id":"${row.id}","client_request_id":${quoted(row.client_request_id)},` +
    `"key_id":"${row.key_id}","model":${quoted(row.model)},"provider":${quoted(row.provider)},` +
    `"ended":"${row.status}","status":${row.http_status},"error":${quoted(row.error_type)},` +
    `"charge_micros":${row.charge_micros},"latency_ms":${row.latency_ms}`
  )
}

function quoted(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text)
}
