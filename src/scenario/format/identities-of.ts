/** A scenario, as far as its identities go. */
interface Inhabited<Identity> {
  readonly identities: readonly Identity[]
  readonly organizations: readonly { readonly identities: readonly Identity[] }[]
}

/** Every identity of a scenario: its own first, then those of further organizations. */
export function identitiesOf<Identity>({ identities, organizations }: Inhabited<Identity>): Identity[] {
  return [...identities, ...organizations.flatMap((organization) => organization.identities)]
}
