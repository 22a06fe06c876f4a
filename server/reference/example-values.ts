/** Values that examples hold, by the name of the field: what a reader would meet, not `"string"`. */

const MOMENT = '2026-11-21T08:30:00.000Z'

/** Ids by the kind of thing, as its `object` says it. */
export const ID_EXAMPLES: Readonly<Record<string, string>> = {
  account: 'acc_01k9s4t7w2',
  api_key: 'key_01k9s4v8m3',
  user: 'usr_01k9s4x1p6',
  administrator: 'adm_01k9s4y5r8',
  request: 'req_01k9s50b4d',
  ledger_entry: 'led_01k9s51c7f',
  order: 'ord_01k9s52d9g',
  package: 'pkg_01k9s53f2h',
  provider: 'prv_01k9s54g5j',
  model: 'acme/scale-1',
  catalog_entry: 'acme/scale-1',
  audit_entry: 'aud_01k9s55h8k',
  session: 'ses_01k9s56j1m',
  promo_code: 'pro_01k9s57k4n',
}

export const FIELD_EXAMPLES: Readonly<Record<string, unknown>> = {
  account_id: ID_EXAMPLES.account,
  user_id: ID_EXAMPLES.user,
  key_id: ID_EXAMPLES.api_key,
  request_id: ID_EXAMPLES.request,
  order_id: ID_EXAMPLES.order,
  package_id: ID_EXAMPLES.package,
  provider_id: ID_EXAMPLES.provider,
  client_request_id: 'my-own-id-7',
  name: 'Ama Mensah',
  email: 'ama@example.org',
  password: 'correct horse battery',
  new_password: 'staple correct horse',
  current_password: 'correct horse battery',
  code: '492817',
  hint: 'gw_Ab3…x9Q',
  token: 'gw_Ab3…x9Q (49 letters and digits, shown this once)',
  note: 'Welcome',
  message: 'The model is answering',
  description: 'For short answers',
  model: 'acme/scale-1',
  upstream_model: 'scale-1-2026-11',
  provider: 'acme',
  owned_by: 'Acme',
  base_url: 'https://api.acme.example/v1',
  credential: 'sk-…',
  url: 'https://pay.example/c/01k9s4',
  currency: 'EUR',
  action: 'account.create',
  ip: '192.0.2.7',
  address: '192.0.2.7',
  user_agent: 'Mozilla/5.0',
  secret: 'JBSWY3DPEHPK3PXP',
  otpauth_url: 'otpauth://totp/Goldweight:ama@example.org?secret=JBSWY3DPEHPK3PXP',
  tz: '+01:00',
  cursor: 'eyJhIjoxNzk1',
  created: 1_795_248_000,
  used: 12.48117,
  quota: 100,
  remaining: 87.51883,
  credits: 0.00007,
  amount: 100,
  balance_after: 87.51883,
  context_window: 200_000,
  max_output_tokens: 64_000,
  requests: 600,
  window_seconds: 60,
  concurrency: 32,
  http_status: 200,
  latency_ms: 812,
  time_to_first_token_ms: 240,
  input: 10,
  cache_read: 0,
  cache_write: 0,
  output: 5,
  limit: 20,
  expires_at: null,
  revoked_at: null,
  next_cursor: null,
  error: null,
  order: null,
}

export const MOMENT_EXAMPLE = MOMENT

const WEIGHTS = { input: 3, cache_read: 0.3, cache_write: 3.75, output: 15 }
const PACKAGE = { name: 'Starter', credits: 100 }
const PROVIDER = { name: 'acme', kind: 'openai' }
const KEY = { name: 'billing-service' }
const MODEL = {
  name: 'Scale 1',
  modalities: { input: ['text', 'image'], output: ['text'] },
  capabilities: ['tools', 'vision'],
}

/** Where a name says more than its field does: fields of a schema by the schema's name. */
export const NAMED_EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Weights: WEIGHTS,
  ApiKey: KEY,
  CreatedApiKey: KEY,
  CreateClientKey: KEY,
  PatchClientKey: KEY,
  CreateAdminKey: KEY,
  PatchAdminKey: KEY,
  CreditPackage: PACKAGE,
  AdminPackage: PACKAGE,
  CreatePackage: PACKAGE,
  PatchPackage: PACKAGE,
  Provider: PROVIDER,
  CreateProvider: PROVIDER,
  PatchProvider: PROVIDER,
  CatalogEntry: MODEL,
  AdminModel: MODEL,
  CreateModel: { ...MODEL, id: 'acme/scale-1' },
  PatchModel: MODEL,
  LinkIdentity: { from: '/settings' },
}
