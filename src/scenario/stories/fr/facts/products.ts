import type { Random } from '../../../../world/random.js'
import { priceNear, tradeOf } from '../../facts/catalogue.js'
import { type Thing, thingOf } from './nouns.js'

/** A thing on sale, with its price in cents. */
export interface Product extends Thing {
  readonly cents: number
}

type Good = readonly [name: string, gender: 'm' | 'f', price: number]

const SERIES = [
  'Basalte',
  'Bouleau',
  'Bruyère',
  'Cobalt',
  'Colvert',
  'Dune',
  'Érable',
  'Genêt',
  'Lande',
  'Méridien',
  'Mistral',
  'Roseau',
  'Saule',
  'Tilleul',
] as const

const OUTDOOR: readonly Good[] = [
  ['sac à dos', 'm', 95],
  ['sac de couchage', 'm', 120],
  ['tente deux places', 'f', 230],
  ['réchaud', 'm', 55],
  ['lampe frontale', 'f', 35],
  ['chaise pliante', 'f', 48],
  ['glacière', 'f', 79],
]
const HOME: readonly Good[] = [
  ['lampadaire', 'm', 89],
  ['table de chevet', 'f', 115],
  ['couverture en laine', 'f', 68],
  ['pendule', 'f', 45],
  ['bibliothèque', 'f', 180],
  ['panier à linge', 'm', 32],
  ['fauteuil', 'm', 420],
  ['portemanteau', 'm', 74],
]
const KITCHEN: readonly Good[] = [
  ['bouilloire', 'f', 49],
  ['poêle en fonte', 'f', 72],
  ['bloc à couteaux', 'm', 130],
  ['mixeur plongeant', 'm', 58],
  ['boîte à pain', 'f', 36],
  ['moulin à café', 'm', 84],
  ['machine à pâtes', 'f', 69],
  ['balance de cuisine', 'f', 28],
]
const OFFICE: readonly Good[] = [
  ['lampe de bureau', 'f', 64],
  ['fauteuil de bureau', 'm', 289],
  ['bras pour écran', 'm', 118],
  ['bureau assis-debout', 'm', 540],
  ['caisson à tiroirs', 'm', 165],
  ['repose-pieds', 'm', 44],
  ['tableau blanc', 'm', 76],
  ['destructeur de documents', 'm', 129],
]
const GARDEN: readonly Good[] = [
  ['dévidoir', 'm', 59],
  ['banc de jardin', 'm', 240],
  ['mangeoire', 'f', 26],
  ['brouette', 'f', 98],
  ['taille-haie', 'm', 135],
  ['composteur', 'm', 72],
  ['parasol', 'm', 88],
  ['table de rempotage', 'f', 119],
]
const CYCLING: readonly Good[] = [
  ['feu de vélo', 'm', 39],
  ['sacoche', 'f', 78],
  ['pompe à pied', 'f', 46],
  ['cadenas pliable', 'm', 85],
  ['siège enfant', 'm', 129],
  ['selle', 'f', 92],
  ["pied d'atelier", 'm', 140],
  ['remorque', 'f', 310],
]
const TRADES = [OUTDOOR, HOME, KITCHEN, OFFICE, GARDEN, CYCLING] as const
const ENDINGS = [0, 50, 90, 90, 95, 99] as const

/** Draws something the company sells; a company always sells goods of the same trade. */
export function drawProduct(random: Random, company: string): Product {
  const [name, gender, price] = random.pick(tradeOf(TRADES, company))
  return {
    ...thingOf(`${name} ${random.pick(SERIES)}`, gender),
    cents: priceNear(random, price, ENDINGS),
  }
}
