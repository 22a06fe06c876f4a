import { stringify } from 'yaml'

/**
 * As YAML that says the very same when it is read again. Texts stand in one line each: where the library breaks long
 * ones, or writes several lines as a block, blanks beside the breaks get lost (found at random with 2.9.1).
 */
export function writeYaml(value: unknown): string {
  return stringify(value, {
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  })
}
