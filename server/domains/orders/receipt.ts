import type { OrderRow } from '#storage/sales-tables.ts'

export type ReceiptParty = { readonly name: string; readonly email: string }

export type ReceiptInput = {
  readonly order: OrderRow
  readonly buyer: ReceiptParty
  /** Who sells, as the operator wrote it: name, address, tax number, a line each. */
  readonly seller: string
  /** What the service is called: it sells where nothing else was written. */
  readonly service: string
}

/** A receipt as a page to print or to keep as PDF: one document, without scripts and without anything to load. */
export function renderReceipt({ order, buyer, seller, service }: ReceiptInput): string {
  const rows = [
    ['Order', order.id],
    ['Paid on', formatDate(order.paid_at ?? order.created_at)],
    ['Paid by', order.processor === 'stripe' ? 'card or wallet (Stripe)' : 'invoice'],
    ['Payment reference', order.payment_reference ?? '–'],
  ]
  const price = formatMoney(order.price_minor, order.currency)
  const refunded =
    order.refunded_minor === 0
      ? ''
      : `<tr><td>Paid back</td><td>−${formatMoney(order.refunded_minor, order.currency)}</td></tr>`
  const total = formatMoney(order.price_minor - order.refunded_minor, order.currency)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Receipt ${escapeHtml(order.id)} · ${escapeHtml(service)}</title><style>${STYLE}</style></head>
<body><main>
<p>${escapeHtml(service)}</p>
<h1>Receipt</h1>
<section class="parties"><div><h2>From</h2><p>${toLines(seller.trim() || service)}</p></div>
<div><h2>To</h2><p>${escapeHtml(buyer.name)}<br>${escapeHtml(buyer.email)}</p></div></section>
<dl>${rows.map(([name = '', value = '']) => `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
<table><thead><tr><th scope="col">Item</th><th scope="col">Price</th></tr></thead>
<tbody><tr><td>${escapeHtml(order.package_name)}: ${formatCredits(order.credits_micros)} credits</td><td>${price}</td></tr>${refunded}</tbody>
<tfoot><tr><th scope="row">Total</th><td>${total}</td></tr></tfoot></table>
</main></body></html>`
}

const STYLE = `:root{color-scheme:light}*{box-sizing:border-box}
body{margin:0;background:#fff;color:#1c1a17;font:16px/1.5 system-ui,sans-serif}main{max-width:42rem;margin:0 auto;padding:2.5rem 1.5rem}
h1{font-size:1.75rem;margin:0 0 2rem}h2{font-size:.875rem;margin:0;color:#5c564d}p{margin:.25rem 0 0}
.parties{display:grid;grid-template-columns:1fr 1fr;gap:1.5rem}dl{margin:2rem 0;padding:1rem 0;border-block:1px solid #d8d2c6}
dl div{display:flex;justify-content:space-between;gap:1rem;flex-wrap:wrap}dt{color:#5c564d}dd{margin:0;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}th,td{padding:.5rem 0;text-align:left;border-bottom:1px solid #d8d2c6}
td:last-child,th[scope=col]:last-child{text-align:right;font-variant-numeric:tabular-nums}tfoot td,tfoot th{font-weight:600;border:0}`

/** An amount as people write it: the minor unit has as many decimals as the currency says (ISO 4217, by Intl). */
export function formatMoney(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  const digits = String(minor).padStart(decimals + 1, '0')
  // As text: the formatter takes decimal strings as they are, so no amount passes through a float.
  const decimal = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return format.format(decimal as Intl.StringNumericLiteral) // digits around a point are a numeric literal
}

function formatCredits(amount: bigint): string {
  const whole = (amount / 1_000_000n).toString()
  const fraction = (amount % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function formatDate(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10)
}

function toLines(text: string): string {
  return escapeHtml(text.trim()).replaceAll('\n', '<br>')
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
