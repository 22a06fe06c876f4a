/** Most tokenizers make some four characters of English a token. */
const CHARACTERS_PER_TOKEN = 4
/** Weights have up to so many decimals. */
const WEIGHT_DECIMALS = 12
const UNITS_PER_MICRO = 10n ** BigInt(WEIGHT_DECIMALS)

/** About how many tokens were written and what they weigh, to be shown until the exact numbers are settled. */
export function estimateOutput(
  content: string,
  weight: number,
): { readonly tokens: number; readonly micros: bigint } {
  const tokens = Math.ceil(content.length / CHARACTERS_PER_TOKEN)
  // Credits per million tokens are micro-credits per token.
  const [whole = '0', decimals = ''] = weight.toFixed(WEIGHT_DECIMALS).split('.')
  return { tokens, micros: (BigInt(tokens) * BigInt(whole + decimals)) / UNITS_PER_MICRO }
}
