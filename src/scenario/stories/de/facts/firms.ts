import type { Random } from '../../../../world/random.js'

/** A made-up firm and the domain it writes from. */
export interface Firm {
  readonly name: string
  readonly domain: string
}

const EMPLOYERS: readonly Firm[] = [
  { name: 'Bäckerei Rosenthal', domain: 'baeckerei-rosenthal.example' },
  { name: 'Spedition Harms', domain: 'spedition-harms.example' },
  { name: 'Architekturbüro Vogt & Lenz', domain: 'vogt-lenz.example' },
  { name: 'Grundschule am Wiesengrund', domain: 'grundschule-wiesengrund.example' },
  { name: 'Zahnarztpraxis Dr. Kühn', domain: 'praxis-kuehn.example' },
  { name: 'Hotel Seeblick', domain: 'hotel-seeblick.example' },
  { name: 'Tischlerei Brandt', domain: 'tischlerei-brandt.example' },
  { name: 'Wohnbau Erlenhof eG', domain: 'erlenhof-wohnbau.example' },
  { name: 'Kanzlei Petersen', domain: 'kanzlei-petersen.example' },
  { name: 'Stadtbücherei Hohenfeld', domain: 'buecherei-hohenfeld.example' },
]
const SHOPS: readonly Firm[] = [
  { name: 'Papierhafen', domain: 'papierhafen.example' },
  { name: 'Kaffeekontor Süd', domain: 'kaffeekontor-sued.example' },
  { name: 'Bogen & Blatt', domain: 'bogenundblatt.example' },
  { name: 'Schraubenkiste', domain: 'schraubenkiste.example' },
  { name: 'Grünkorb', domain: 'gruenkorb.example' },
  { name: 'Lagerplatz 7', domain: 'lagerplatz7.example' },
]
const ROLES = [
  'Einkauf',
  'Buchhaltung',
  'Büroleitung',
  'Projektassistenz',
  'Verwaltung',
  'Geschäftsleitung',
] as const

/** Draws the firm somebody works for. */
export function drawEmployer(random: Random): Firm {
  return random.pick(EMPLOYERS)
}

/** Draws a shop that writes to its customers. */
export function drawShop(random: Random): Firm {
  return random.pick(SHOPS)
}

/** Draws where in their firm somebody works, e.g. `Buchhaltung`. */
export function drawRole(random: Random): string {
  return random.pick(ROLES)
}
