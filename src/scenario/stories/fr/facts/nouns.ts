/** A thing as letters speak of it, in the singular; keyed by what a masculine noun would have. */
export interface Thing {
  /** Without an article, e.g. `lampe de bureau Bouleau`. */
  readonly item: string
  /** e.g. `la lampe de bureau Bouleau`. */
  readonly le: string
  /** After `de`, e.g. `de la lampe de bureau Bouleau`. */
  readonly du: string
  /** After `à`, e.g. `à la lampe de bureau Bouleau`. */
  readonly au: string
  /** e.g. `une lampe de bureau Bouleau`. */
  readonly un: string
  /** The pronoun of the subject, e.g. `elle`. */
  readonly il: string
  /** The pronoun of the object before a consonant, e.g. `la`. */
  readonly pronoun: string
  /** What participles and adjectives add, e.g. `e` in `arrivée`. */
  readonly e: string
}

/** Gives a noun, with what follows it, its articles; it begins with a consonant. */
export function thingOf(item: string, gender: 'm' | 'f'): Thing {
  const [le, du, au, un] = gender === 'm' ? ['le', 'du', 'au', 'un'] : ['la', 'de la', 'à la', 'une']
  return {
    item,
    le: `${le} ${item}`,
    du: `${du} ${item}`,
    au: `${au} ${item}`,
    un: `${un} ${item}`,
    il: gender === 'm' ? 'il' : 'elle',
    pronoun: le as string,
    e: gender === 'm' ? '' : 'e',
  }
}
