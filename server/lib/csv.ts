/** What stands in one cell. Numbers are written as they are, texts are never taken for formulas. */
export type Cell = string | number | bigint | null

/** What spreadsheets take for the beginning of a formula: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** One line of a CSV file (RFC 4180), with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(toText).join(',')}\r\n`
}

function toText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
