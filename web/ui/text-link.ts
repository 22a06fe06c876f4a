/** Of a link within text: told from the text around it by more than its colour. */
export const textLinkClasses =
  'font-medium text-gold underline decoration-gold/40 underline-offset-3 hover:decoration-gold'
