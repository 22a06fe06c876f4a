import { useQuery } from '@tanstack/react-query'
import { expiringCreditsQuery } from '#web/api/client/credits.ts'
import { formatCredits } from '#web/ui/credits.ts'
import { DateTime } from '#web/ui/date-time.tsx'

/** What of the balance will end; nothing is said where nothing does. */
export function EndingCredits() {
  const { data } = useQuery(expiringCreditsQuery)
  if (!data || data.data.length === 0) return null
  return (
    <div className="mt-6 border-t border-line pt-4 text-sm">
      <h3 className="font-medium">Credits that end</h3>
      <p className="text-muted">They are used before the others, those that end soonest first.</p>
      <ul className="mt-2 flex flex-col gap-1">
        {data.data.map(({ credits, expires_at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two grants may end at one moment, and the lines never move
          <li key={index} className="figures">
            {formatCredits(credits)} until <DateTime value={expires_at} />
          </li>
        ))}
      </ul>
    </div>
  )
}
