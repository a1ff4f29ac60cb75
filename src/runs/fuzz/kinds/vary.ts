/** The names of the kinds of elements, in the form that `--vary` takes. */
export const varyKinds = ['readings', 'faults', 'mail', 'sizes', 'timing', 'deliveries'] as const

/** A kind of element. */
export type Vary = (typeof varyKinds)[number]
