import type { Random } from '../../../../world/random.js'

const CITIES = [
  'Angers',
  'Annecy',
  'Besançon',
  'Bordeaux',
  'Brest',
  'Caen',
  'Clermont-Ferrand',
  'Dijon',
  'Grenoble',
  'Lille',
  'Limoges',
  'Lyon',
  'Metz',
  'Nantes',
  'Nîmes',
  'Orléans',
  'Reims',
  'Rennes',
  'Toulouse',
  'Tours',
] as const
const STREETS = [
  'allée des Tilleuls',
  'avenue de la Gare',
  'chemin du Moulin',
  'impasse du Lavoir',
  'place du Marché',
  'quai des Tanneurs',
  'rue des Lilas',
  'rue du Four',
  'rue Haute',
] as const
// Each begins with a consonant, so that `de` stays whole before it.
const CARRIERS = ['Colivite', 'Transplume', 'Relaisvert', 'Portéclair', 'Messageries du Nord'] as const

/** Draws a city that takes no article. */
export function drawCity(random: Random): string {
  return random.pick(CITIES)
}

/** Draws a street with its number, e.g. `14 rue des Lilas`. */
export function drawStreet(random: Random): string {
  return `${random.integer(2, 148)} ${random.pick(STREETS)}`
}

/** Draws one of the made-up parcel services. */
export function drawCarrier(random: Random): string {
  return random.pick(CARRIERS)
}
