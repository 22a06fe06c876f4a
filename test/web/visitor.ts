/** A person in a browser: a context of their own, watched for everything that a page must never do. */
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { inject } from 'vitest'

export type Look = {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
}

export type Visitor = {
  readonly page: Page
  readonly context: BrowserContext
  /** Fails when a page wrote an error, broke its content security policy, or asked for anything elsewhere. */
  expectNoComplaints(): void
  /** From now on, messages of the console that match are part of what is tested. */
  allow(message: RegExp): void
  close(): Promise<void>
}

/** One for each file of tests; its process is shared by all of them. */
export function connectBrowser(): Promise<Browser> {
  return chromium.connect(inject('chromiumEndpoint'))
}

export async function openVisitor(
  browser: Browser,
  url: string,
  { theme = 'light', width = 1440, height = 900 }: Look = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: width < 600,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(10_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const allowed: RegExp[] = []
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('request', request => {
    const address = request.url()
    if (!address.startsWith(url) && !address.startsWith('data:')) complaints.push(`asked for ${address}`)
  })
  return {
    page,
    context,
    allow: message => {
      allowed.push(message)
    },
    expectNoComplaints: () => {
      expect(complaints.filter(text => !allowed.some(pattern => pattern.test(text)))).toEqual([])
    },
    close: () => context.close(),
  }
}
