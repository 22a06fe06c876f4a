import type { z } from 'zod'
import { refusals, type ServiceError } from '#contract/errors.ts'
import type { profile } from '#contract/sessions.ts'
import type { Changes } from '#lib/changes.ts'
import { accepted, type Outcome, refused } from '#lib/outcome.ts'
import type { Storage } from '#storage/storage.ts'
import type { People, Person, SignedIn } from './people.ts'
import type { SecurityRecord } from './security-record.ts'
import type { TwoFactor } from './two-factor.ts'

export type Profile = z.infer<typeof profile>

/** What people see and change of themselves. */
export type Profiles = {
  get(signedIn: SignedIn): Promise<Profile>
  /** 409 changed by somebody else meanwhile. */
  rename(signedIn: SignedIn, name: string): Promise<Outcome<Profile, ServiceError>>
}

export type ProfilesParts = {
  readonly storage: Storage
  readonly changes: Changes
  readonly people: People
  readonly record: SecurityRecord
  readonly twoFactor: Pick<TwoFactor, 'status'>
}

export function createProfiles({ storage, changes, people, record, twoFactor }: ProfilesParts): Profiles {
  async function getPerson(signedIn: SignedIn): Promise<Person> {
    const person = await people.find(signedIn)
    if (!person) throw new Error('Somebody is signed in who is nobody')
    return person
  }

  async function toProfile({
    realm,
    id,
    email,
    name,
    emailVerifiedAt,
    passwordHash,
  }: Person): Promise<Profile> {
    const { enabled, recoveryCodesLeft } = await twoFactor.status({ realm, id })
    return {
      id,
      object: 'profile',
      email,
      name,
      email_verified: emailVerifiedAt !== null,
      has_password: passwordHash !== null,
      two_factor: { enabled, recovery_codes_left: recoveryCodesLeft },
    }
  }

  return {
    get: async signedIn => toProfile(await getPerson(signedIn)),
    rename: async (signedIn, name) => {
      const person = await getPerson(signedIn)
      const outcome = await storage.commit([
        people.change(person, { name }),
        ...record(signedIn, 'change_name', { name }),
      ])
      if (outcome.kind !== 'committed')
        return refused(refusals.conflict('This was changed elsewhere; try again'))
      if (signedIn.realm === 'client') changes.publish({ kind: 'user', userId: signedIn.id })
      return accepted(await toProfile({ ...person, name }))
    },
  }
}
