import { WeightsList, type WeightsListProps } from '#web/usage/weights-list.tsx'

/** What a model weighs, with what the numbers mean. */
export function ModelWeights(weights: WeightsListProps) {
  return (
    <>
      <WeightsList {...weights} />
      <p className="mt-5 text-sm text-muted">
        Credits for a million tokens. Each token counts in one kind alone; the sum is rounded up once, to a
        millionth of a credit.
      </p>
    </>
  )
}
