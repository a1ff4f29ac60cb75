/** The names of the kinds of elements, in the form that `--vary` takes. */
export const varyKinds = [
  'assumptions',
  'faults',
  'mail',
  'sizes',
  'timing',
  'deliveries',
  'life',
  'forms',
] as const

/** A kind of element. */
export type Vary = (typeof varyKinds)[number]

/** The kinds that are varied unless said otherwise: only who says so has a client that keeps what it needs after a restart. */
export const defaultKinds: readonly Vary[] = varyKinds.filter((kind) => kind !== 'life')
