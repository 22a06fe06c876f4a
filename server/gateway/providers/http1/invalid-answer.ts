/** An answer that breaks the rules of HTTP/1.1, or bends them where two readers could disagree on its meaning. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
}
