/** Masculine, feminine or neuter. */
export type NounGender = 'm' | 'f' | 'n'

/** A thing in the cases letters need, all in the singular; keyed by what a masculine noun would have. */
export interface Thing {
  /** Without an article, e.g. `Schreibtischlampe Birke`. */
  readonly item: string
  /** Nominative, e.g. `die Schreibtischlampe Birke`. */
  readonly der: string
  /** Accusative. */
  readonly den: string
  /** Dative, e.g. `der Schreibtischlampe Birke`. */
  readonly dem: string
  /** Accusative, e.g. `eine Schreibtischlampe Birke`. */
  readonly einen: string
  /** Dative, e.g. `meiner Schreibtischlampe Birke`. */
  readonly meinem: string
  /** The pronoun in the nominative, e.g. `sie`. */
  readonly er: string
  /** The pronoun in the accusative. */
  readonly ihn: string
}

const FORMS = {
  m: { der: 'der', den: 'den', dem: 'dem', einen: 'einen', meinem: 'meinem', er: 'er', ihn: 'ihn' },
  f: { der: 'die', den: 'die', dem: 'der', einen: 'eine', meinem: 'meiner', er: 'sie', ihn: 'sie' },
  n: { der: 'das', den: 'das', dem: 'dem', einen: 'ein', meinem: 'meinem', er: 'es', ihn: 'es' },
} as const

/** Inflects a noun, with what follows it, by its gender. */
export function thingOf(item: string, gender: NounGender): Thing {
  const { der, den, dem, einen, meinem, er, ihn } = FORMS[gender]
  return {
    item,
    der: `${der} ${item}`,
    den: `${den} ${item}`,
    dem: `${dem} ${item}`,
    einen: `${einen} ${item}`,
    meinem: `${meinem} ${item}`,
    er,
    ihn,
  }
}
