const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const SECOND = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })

const FORMATS = { moment: MOMENT, second: SECOND, day: DAY } as const

export type DateTimeProps = {
  /** RFC 3339. */
  readonly value: string
  readonly show?: 'moment' | 'second' | 'day'
}

/** A moment in the reader's own time zone; the same in UTC, as records and logs have it, in its title. */
export function DateTime({ value, show = 'moment' }: DateTimeProps) {
  const date = new Date(value)
  return (
    <time dateTime={value} title={date.toISOString()} className="figures whitespace-nowrap">
      {FORMATS[show].format(date)}
    </time>
  )
}
