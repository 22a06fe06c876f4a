export type FieldErrors = Readonly<Record<string, string>>

/**
 * Of the errors that are shown those that hold on after a change, wherever that was made: fields bear on each other, and
 * one that goes on being marked would keep the form from being sent. No new ones: nobody has finished writing yet.
 */
export function stillWrong(shown: FieldErrors, now: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(now).filter(([field]) => Object.hasOwn(shown, field)))
}
