import { Disclosure } from '#web/ui/disclosure.tsx'
import { RowList } from '#web/ui/row-list.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { BUCKETS, LONGER_LIFE, UNIT_LABELS } from '#web/usage/model-words.ts'
import {
  type RateTexts,
  shownUnits,
  type TierDraft,
  tierField,
  type WeightItem,
  type WeightsDraft,
  withTier,
} from './weights-draft.ts'

type WeighedModel = Parameters<typeof shownUnits>[0]

export type WeightFieldsProps = {
  readonly model: WeighedModel
  readonly draft: WeightsDraft
  /** What is wrong, by the names of the fields. */
  readonly errors: Readonly<Record<string, string>>
  readonly onChange: (draft: WeightsDraft) => void
}

/** Every weight that a model can have. */
export function WeightFields({ model, draft, errors, onChange }: WeightFieldsProps) {
  return (
    <>
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-1 text-sm font-semibold">Tokens</legend>
        <p className="text-sm text-muted">Credits for a million tokens of each kind; 0 is free.</p>
        <RateFields
          texts={draft.texts}
          nameOf={item => item}
          onChange={texts => onChange({ ...draft, texts })}
        />
      </fieldset>
      <UnitFields model={model} draft={draft} errors={errors} onChange={onChange} />
      <fieldset className="flex flex-col gap-4">
        <legend className="mb-1 text-sm font-semibold">Longer requests</legend>
        <p className="text-sm text-muted">
          Some providers charge more for all tokens of a request with a long input. A tier weighs every
          request with more input, cache reads and cache writes together than its bound; of several, the
          highest that is exceeded.
        </p>
        <RowList
          rows={draft.tiers}
          most={10}
          titleOf={(_tier, index) => `Tier ${index + 1}`}
          fieldsOf={(tier, change) => <TierFields tier={tier} onChange={change} />}
          onChange={tiers => onChange({ ...draft, tiers })}
          addLabel="Add tier"
          onAdd={() => onChange(withTier(draft))}
        />
      </fieldset>
    </>
  )
}

const MEANINGS: Readonly<Record<WeightItem, string>> = {
  input: 'Of the prompt, out of no cache',
  cache_read: 'Of the prompt, out of the provider’s cache',
  cache_write: 'Of the prompt, put into its cache',
  output: 'Of the answer, reasoning among them',
  cache_write_1h: 'Empty: as other cache writes',
}

type RateFieldsProps = {
  readonly texts: RateTexts
  readonly nameOf: (item: WeightItem) => string
  readonly onChange: (texts: RateTexts) => void
}

function RateFields({ texts, nameOf, onChange }: RateFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {[...BUCKETS, LONGER_LIFE].map(({ bucket, label }) => (
        <TextField
          key={bucket}
          name={nameOf(bucket)}
          label={label}
          description={MEANINGS[bucket]}
          value={texts[bucket]}
          onValueChange={text => onChange({ ...texts, [bucket]: text })}
          inputMode="decimal"
          autoComplete="off"
        />
      ))}
    </div>
  )
}

function UnitFields({ model, draft, errors, onChange }: WeightFieldsProps) {
  const shown = shownUnits(model)
  const isShown = ({ unit }: UnitLabel) => shown.includes(unit)
  const field = (label: UnitLabel) => (
    <UnitField key={label.unit} label={label} draft={draft} onChange={onChange} />
  )
  const others = UNIT_LABELS.filter(label => !isShown(label))
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-1 text-sm font-semibold">Beside tokens</legend>
      {shown.length > 0 && (
        <>
          <p className="text-sm text-muted">What the model serves is charged by these as well.</p>
          <div className="grid gap-4 sm:grid-cols-2">{UNIT_LABELS.filter(isShown).map(field)}</div>
        </>
      )}
      {others.length > 0 && (
        <Disclosure
          summary={shown.length > 0 ? 'Weights of other units' : 'Weights of images, sound and searches'}
          hasError={others.some(({ unit }) => errors[unit] !== undefined)}
        >
          <p className="text-sm text-muted">Needed before the model can serve what is charged by them.</p>
          <div className="grid gap-4 sm:grid-cols-2">{others.map(field)}</div>
        </Disclosure>
      )}
    </fieldset>
  )
}

type UnitLabel = (typeof UNIT_LABELS)[number]

type UnitFieldProps = Pick<WeightFieldsProps, 'draft' | 'onChange'> & { readonly label: UnitLabel }

function UnitField({ label: { unit, label, per }, draft, onChange }: UnitFieldProps) {
  return (
    <TextField
      name={unit}
      label={label}
      description={`credits ${per}`}
      value={draft.units[unit] ?? ''}
      onValueChange={text => onChange({ ...draft, units: { ...draft.units, [unit]: text } })}
      inputMode="decimal"
      autoComplete="off"
    />
  )
}

type TierFieldsProps = { readonly tier: TierDraft; readonly onChange: (tier: TierDraft) => void }

function TierFields({ tier, onChange }: TierFieldsProps) {
  return (
    <>
      <TextField
        name={tierField(tier, 'bound')}
        label="Above so many input tokens"
        description="such as 200000"
        value={tier.bound}
        onValueChange={bound => onChange({ ...tier, bound })}
        inputMode="numeric"
        autoComplete="off"
      />
      <RateFields
        texts={tier.texts}
        nameOf={item => tierField(tier, item)}
        onChange={texts => onChange({ ...tier, texts })}
      />
    </>
  )
}
