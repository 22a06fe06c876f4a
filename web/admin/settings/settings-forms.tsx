import { z } from 'zod'
import { keyLimits } from '#contract/keys.ts'
import { settings as settingsSchema } from '#contract/settings.ts'
import type { Settings } from '#web/api/admin/settings.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { typedCount } from '#web/ui/typed-number.ts'
import { PRICING_MESSAGES, pricingFields } from '../catalog/pricing-fields.ts'
import { KEY_MESSAGES } from '../keys/key-fields.tsx'
import { SettingsPanel } from './settings-panel.tsx'

export type SettingsFormProps = { readonly settings: Settings }

const {
  low_balance_percent,
  sign_up,
  email_verification,
  require_two_factor,
  request_retention_days,
  invoice_instructions,
  receipt_seller,
} = settingsSchema.shape

export function SignUpSettings({ settings }: SettingsFormProps) {
  return (
    <SettingsPanel
      title="Customers"
      settings={['sign_up', 'email_verification']}
      schema={z.object({ sign_up, email_verification })}
      toPatch={values => values}
    >
      <SelectField
        name="sign_up"
        label="Signing up"
        defaultValue={settings.sign_up}
        choices={[
          { value: 'open', label: 'Open to everybody' },
          { value: 'closed', label: 'Closed: administrators make accounts' },
        ]}
      />
      <SelectField
        name="email_verification"
        label="Confirming the e-mail address"
        defaultValue={settings.email_verification}
        choices={[
          { value: 'optional', label: 'Optional' },
          { value: 'required', label: 'Required before a key is made' },
        ]}
      />
    </SettingsPanel>
  )
}

const count = z.unknown().transform(typedCount)

export function LimitSettings({ settings: { default_limits: limits } }: SettingsFormProps) {
  return (
    <SettingsPanel
      title="Limits of new keys"
      settings={['default_limits']}
      schema={z.object({
        requests: count.pipe(keyLimits.shape.requests),
        window_seconds: count.pipe(keyLimits.shape.window_seconds),
        concurrency: count.pipe(keyLimits.shape.concurrency),
      })}
      toPatch={default_limits => ({ default_limits })}
      messages={KEY_MESSAGES}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <NumberField name="requests" label="Requests" value={limits.requests} hint="in each window" />
        <NumberField name="window_seconds" label="Window" value={limits.window_seconds} hint="seconds" />
        <NumberField name="concurrency" label="In flight" value={limits.concurrency} hint="at a time" />
      </div>
    </SettingsPanel>
  )
}

export function AdministratorSettings({ settings }: SettingsFormProps) {
  return (
    <SettingsPanel
      title="Administrators"
      settings={['require_two_factor']}
      schema={z.object({ require_two_factor })}
      toPatch={values => values}
    >
      <CheckboxField
        name="require_two_factor"
        label="Require a second factor"
        description="Whoever has none can do nothing else before it is set up, you included."
        defaultChecked={settings.require_two_factor}
      />
    </SettingsPanel>
  )
}

export function RetentionSettings({ settings }: SettingsFormProps) {
  return (
    <SettingsPanel
      title="Keeping records"
      settings={['request_retention_days']}
      schema={z.object({
        request_retention_days: z
          .string()
          .trim()
          .transform(text => (text === '' ? null : typedCount(text)))
          .pipe(request_retention_days),
      })}
      toPatch={values => values}
      messages={{ request_retention_days: 'Give a number of days from 1 to 3650, or nothing.' }}
    >
      <NumberField
        name="request_retention_days"
        label="Days for which single requests are kept"
        value={settings.request_retention_days}
        hint="Left empty: for ever. Sums of usage and the ledger are kept for ever."
      />
    </SettingsPanel>
  )
}

export function PricingSettings({ settings: { pricing: usual } }: SettingsFormProps) {
  return (
    <SettingsPanel
      title="From list prices to weights"
      settings={['pricing']}
      schema={pricingFields}
      toPatch={pricing => ({ pricing })}
      messages={PRICING_MESSAGES}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField name="credit_usd" label="A credit is worth" value={usual.credit_usd} hint="US dollars" />
        <NumberField
          name="margin_percent"
          label="Margin"
          value={usual.margin_percent}
          hint="percent on top"
        />
      </div>
      <p className="text-sm text-muted">
        What the calculator and imports begin with. Weights that are set already stay as they are.
      </p>
    </SettingsPanel>
  )
}

export function BalanceSettings({ settings }: SettingsFormProps) {
  return (
    <SettingsPanel
      title="Low balances"
      settings={['low_balance_percent']}
      schema={z.object({ low_balance_percent: count.pipe(low_balance_percent) })}
      toPatch={values => values}
      messages={{ low_balance_percent: 'Give a whole number of percent from 0 to 100.' }}
    >
      <NumberField
        name="low_balance_percent"
        label="A balance is low below"
        value={settings.low_balance_percent}
        hint="percent of what was last received. Its owner is then told, if the service sends mail; 0: never."
      />
    </SettingsPanel>
  )
}

export function SellingSettings({ settings }: SettingsFormProps) {
  return (
    <SettingsPanel
      title="Selling credits"
      settings={['invoice_instructions', 'receipt_seller']}
      schema={z.object({ invoice_instructions, receipt_seller })}
      toPatch={values => values}
    >
      <TextArea
        name="invoice_instructions"
        label="How an invoice is paid"
        description="Left empty: paying by invoice is not offered."
        defaultValue={settings.invoice_instructions}
      />
      <TextArea
        name="receipt_seller"
        label="Who sells, as receipts name it"
        description="Name, address, tax number."
        defaultValue={settings.receipt_seller}
      />
    </SettingsPanel>
  )
}

type NumberFieldProps = {
  readonly name: string
  readonly label: string
  readonly value: number | null
  readonly hint: string
}

function NumberField({ name, label, value, hint }: NumberFieldProps) {
  return (
    <TextField
      name={name}
      label={label}
      description={hint}
      defaultValue={value === null ? '' : String(value)}
      inputMode="decimal"
      autoComplete="off"
    />
  )
}
