/** People of either realm, made and signed in for a test. */
import { expect } from 'vitest'
import type { Realm } from '#storage/sign-in-tables.ts'
import { type Browser, createKeepingBrowser, signUp } from './browser.ts'
import type { PeopleService } from './people-service.ts'

export type { Realm }

export const PASSWORD = 'correct horse battery'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let made = 0

export type Arrived = { readonly email: string; readonly browsers: readonly Browser[] }

/** Makes somebody of a realm, signed in with so many browsers. */
export async function arrive(service: PeopleService, realm: Realm, count: number): Promise<Arrived> {
  const email = `${realm}-${++made}@example.org`
  if (realm === 'client') await signUp(service.app, email, PASSWORD)
  else await makeAdministrator(service, email)
  const browsers: Browser[] = []
  for (let i = 0; i < count; i++) {
    const browser = newBrowser(service)
    expect((await browser.post(`/${realm}/sign-in`, { email, password: PASSWORD })).status).toBe(200)
    browsers.push(browser)
  }
  return { email, browsers }
}

/** A browser that nobody has used before. */
export function newBrowser({ app }: PeopleService): Browser {
  return createKeepingBrowser(app, { 'user-agent': FIREFOX, 'x-forwarded-for': '192.0.2.7' })
}

async function makeAdministrator({ storage, passwords }: PeopleService, email: string): Promise<void> {
  const query = storage.db.insertInto('administrators').values({
    role: 'owner',
    status: 'active',
    id: `adm_${made}`,
    email,
    name: 'Operator',
    password_hash: await passwords.hash(PASSWORD),
    created_at: 1,
  })
  await storage.commit([{ query }])
}
