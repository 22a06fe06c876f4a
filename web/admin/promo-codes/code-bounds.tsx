import type { PromoCode } from '#web/api/admin/promo-codes.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { typedCount } from '#web/ui/typed-number.ts'

/** The last moment of a day that was chosen, in the reader's own time zone; null for none. */
export function endOfDay(day: unknown): string | null {
  return typeof day === 'string' && day !== '' ? new Date(`${day}T23:59:59.999`).toISOString() : null
}

/** A count that may be left out, which means no bound. */
export function typedBound(text: unknown): number | null {
  return text === '' || text === undefined ? null : typedCount(text)
}

/** The day of a moment in the reader's own time zone, as a field for days holds it. */
function dayOf(moment: string): string {
  const date = new Date(moment)
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** What bounds a code, as its fields hold it: of the moment it ends, the day alone. */
export function shownBounds({ max_uses, expires_at, note }: PromoCode) {
  return { max_uses, expires_at: expires_at === null ? null : endOfDay(dayOf(expires_at)), note }
}

export const BOUND_MESSAGES = {
  expires_at: 'Choose a day.',
  max_uses: 'Give a whole number above 0, or leave it empty.',
  note: 'Use 1000 characters at most.',
}

/** What bounds a code, and can be changed later. */
export function CodeBounds({ code }: { readonly code: PromoCode | null }) {
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          name="max_uses"
          label="Uses in all"
          description="Empty: no bound."
          inputMode="numeric"
          defaultValue={code?.max_uses ?? ''}
          autoComplete="off"
        />
        <TextField
          name="expires_at"
          label="Last day"
          description="Empty: it does not end."
          type="date"
          defaultValue={code?.expires_at ? dayOf(code.expires_at) : ''}
        />
      </div>
      <TextField
        name="note"
        label="Note"
        description="What it is for. Operators see it."
        defaultValue={code?.note}
        autoComplete="off"
      />
    </>
  )
}
