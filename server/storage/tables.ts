/**
 * The tables as Kysely sees them, the same on every engine. Conventions: times are milliseconds since the epoch,
 * flags are 0 or 1, JSON is text, and a column whose name ends in `_micros` holds micro-credits and is always read
 * as a bigint.
 */
import type { AdministratorRole } from '#contract/administrators.ts'
import type { EntryKind } from '#contract/ledger.ts'
import type { EndpointName, RequestStatus, UsageSource } from '#contract/usage.ts'
import type { Micros } from '#lib/money.ts'
import type {
  AccountUsageRow,
  FoldedDayRow,
  RetentionMarkRow,
  ServiceUsageRow,
  UsageRow,
} from './roll-ups/usage-tables.ts'
import type { SalesTables } from './sales-tables.ts'
import type {
  ExternalIdentityRow,
  OneTimeTokenRow,
  OutgoingMailRow,
  RecoveryCodeRow,
  SessionRow,
  SignInAttemptRow,
  TwoFactorRow,
} from './sign-in-tables.ts'
import type { WatchTables } from './watch-tables.ts'

export type Flag = 0 | 1

export type AccountRow = {
  id: string
  name: string
  /** The user who owns it; filled in with the account, in one unit. */
  owner_id: string
  status: 'active' | 'suspended'
  /** Sum of all entries that are not charges. Changed by postings alone, like the three below. */
  allocated_micros: Micros
  /** Sum of all charges, as a positive amount. */
  used_micros: Micros
  /** The latest purchase or grant: what a low balance is measured against. 0 before the first. */
  last_allocation_micros: Micros
  /** The number of entries on the account's ledger, and the sequence of its newest one. */
  ledger_sequence: number
  created_at: number
  /** A closed account is suspended for good; null while it is not closed. */
  closed_at: number | null
  /** The administrator who closed it; null for a command. */
  closed_by: string | null
}

export type UserRow = {
  id: string
  account_id: string
  /** In lower case; unique. */
  email: string
  name: string
  /** Empty for a person who has no password. */
  password_hash: string
  status: 'active' | 'disabled'
  created_at: number
  /** When somebody last proved to read the mail of this address; null when nobody has. */
  email_verified_at: number | null
}

export type AdministratorRow = {
  id: string
  email: string
  name: string
  /** Empty for a person who has no password. */
  password_hash: string
  role: AdministratorRole
  status: 'active' | 'disabled'
  created_at: number
  email_verified_at: number | null
}

export type ApiKeyRow = {
  id: string
  user_id: string
  name: string
  hint: string
  /** SHA-256 of the token, in hex. */
  token_hash: string
  /** null follows the default limits of the settings. */
  limit_requests: number | null
  limit_window_seconds: number | null
  limit_concurrency: number | null
  /** The only models it may use; null for all. */
  models_json: string | null
  /** What it may spend in each period; both or neither. */
  spending_cap_micros: Micros | null
  spending_cap_period: 'day' | 'month' | null
  created_at: number
  last_used_at: number | null
  expires_at: number | null
  revoked_at: number | null
}

export type ProviderRow = {
  id: string
  name: string
  kind: string
  base_url: string
  /** Encrypted with the service's secret; null when the upstream takes none. */
  credential_ciphertext: string | null
  /** Encrypted JSON list of names and credentials that are used in turns with it; null where there are none. */
  further_credentials_ciphertext: string | null
  /** Encrypted JSON object of extra request headers: they may carry credentials of their own. */
  headers_ciphertext: string | null
  connect_timeout_ms: number | null
  first_byte_timeout_ms: number | null
  idle_timeout_ms: number | null
  /** What the server serves itself; null: all that servers of its kind do. */
  endpoints_json: string | null
  enabled: Flag
  created_at: number
}

export type ModelRow = {
  id: string
  name: string
  description: string | null
  owned_by: string
  context_window: number | null
  max_output_tokens: number | null
  modalities_json: string
  capabilities_json: string
  endpoints_json: string
  /** Decimal texts, `{"input":"2.5",…}`, with those of tiers; null while the model has no weights. */
  weights_json: string | null
  /** Decimal texts by unit, `{"image":"0.04"}`; null where nothing is charged by units. */
  unit_weights_json: string | null
  /** How its routes are tried; null where nothing was said of it. */
  routing_json: string | null
  enabled: Flag
  deprecated: Flag
  created_at: number
}

export type ModelRouteRow = {
  id: string
  model_id: string
  provider_id: string
  upstream_model: string
  priority: number
  weight: number
  /** A number as text, since engines have no exact ones in common; null where nothing was said. */
  cost: string | null
  position: number
}

export type PackageRow = {
  id: string
  name: string
  credits_micros: Micros
  /** In the currency's minor unit. */
  price_minor: number
  currency: string
  on_sale: Flag
  /** Among those on sale: lower goes first, and the smaller of two that stand alike. */
  position: number
  created_at: number
}

export type SettingRow = { name: string; value_json: string }

export type AuditEntryRow = {
  id: string
  actor_type: 'administrator' | 'system'
  actor_id: string | null
  action: string
  target_type: string
  target_id: string
  before_json: string | null
  after_json: string | null
  created_at: number
}

export type RequestRow = {
  id: string
  account_id: string
  key_id: string
  model: string | null
  endpoint: EndpointName
  stream: Flag
  provider: string | null
  upstream_model: string | null
  status: RequestStatus
  http_status: number
  input_tokens: number
  cache_read_tokens: number
  cache_write_tokens: number
  /** How many of those were written to live for an hour. */
  cache_write_1h_tokens: number
  output_tokens: number
  /** The weights of the model as they were pinned; which of its tiers was applied follows from the counts. */
  weights_json: string | null
  /** What was charged beside tokens, `{"name":"image","count":2,"weight":"0.04"}`; null where nothing was. */
  unit_json: string | null
  charge_micros: Micros
  usage_source: UsageSource | null
  latency_ms: number
  first_token_ms: number | null
  error_type: string | null
  error_code: string | null
  client_request_id: string | null
  /** What the upstream reported, kept only where its numbers contradicted each other. */
  anomalous_usage_json: string | null
  /** How its routes fared, one after the other; null where the first one answered, or none was asked. */
  attempts_json: string | null
  created_at: number
}

export type LedgerEntryRow = {
  id: string
  account_id: string
  /** 1, 2, 3 … within the account: the order in which the balance changed. */
  sequence: number
  kind: EntryKind
  amount_micros: Micros
  balance_after_micros: Micros
  request_id: string | null
  order_id: string | null
  note: string
  created_at: number
}

export type ManagedKind = 'setting' | 'provider' | 'model' | 'package'

/** Something that the configuration file manages. */
export type ManagedItemRow = {
  kind: ManagedKind
  /** As the file names it. */
  name: string
  item_id: string
  /** Keyed hash of what the file said of it when it was applied last. */
  fingerprint: string
}

/** What an account's owner was told last about its balance. */
export type AccountNoticeRow = {
  account_id: string
  status: 'active' | 'low' | 'exhausted'
  changed_at: number
}

/** A request that its caller gave a key, so that it is made only once. */
export type IdempotencyClaimRow = {
  account_id: string
  /** SHA-256 of the caller's key, in hex. */
  key_hash: string
  /** The request that holds the claim: its charge and its answer are committed together. */
  request_id: string
  /** Hash of what was asked. */
  fingerprint: string
  state: 'running' | 'done'
  /** A claim that runs and was not renewed by then was left by a node that died. */
  lapses_at: number
  expires_at: number
  /** Encrypted with the service's secret; null while it runs, and for answers that are not kept. */
  answer_ciphertext: string | null
}

export type Tables = {
  accounts: AccountRow
  users: UserRow
  administrators: AdministratorRow
  sessions: SessionRow
  one_time_tokens: OneTimeTokenRow
  two_factors: TwoFactorRow
  recovery_codes: RecoveryCodeRow
  outgoing_mails: OutgoingMailRow
  external_identities: ExternalIdentityRow
  sign_in_attempts: SignInAttemptRow
  api_keys: ApiKeyRow
  providers: ProviderRow
  models: ModelRow
  model_routes: ModelRouteRow
  packages: PackageRow
  settings: SettingRow
  audit_entries: AuditEntryRow
  requests: RequestRow
  ledger_entries: LedgerEntryRow
  usage_hours: UsageRow
  usage_days: UsageRow
  service_hours: ServiceUsageRow
  service_days: ServiceUsageRow
  account_days: AccountUsageRow
  folded_days: FoldedDayRow
  retention_marks: RetentionMarkRow
  managed_items: ManagedItemRow
  account_notices: AccountNoticeRow
  idempotency_claims: IdempotencyClaimRow
} & SalesTables &
  WatchTables
