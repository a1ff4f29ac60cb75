/** The names of the kinds of elements, as `--vary` has them. */
export const varyKinds = ['readings', 'faults', 'mail', 'sizes', 'timing', 'deliveries'] as const

/** A kind of element. */
export type Vary = (typeof varyKinds)[number]
