/** A user of the portal who is signed in. */
export type SignedInUser = {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly accountId: string
}

/** An administrator who is signed in. */
export type SignedInAdministrator = { readonly id: string; readonly email: string; readonly name: string }
