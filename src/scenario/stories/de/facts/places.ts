import type { Random } from '../../../../world/random.js'

const CITIES = [
  'Augsburg',
  'Bamberg',
  'Bremen',
  'Dresden',
  'Erfurt',
  'Freiburg',
  'Göttingen',
  'Graz',
  'Jena',
  'Kassel',
  'Kiel',
  'Köln',
  'Leipzig',
  'Linz',
  'Lübeck',
  'Münster',
  'Nürnberg',
  'Osnabrück',
  'Rostock',
  'Ulm',
] as const
const STREETS = [
  'Ahornweg',
  'Bahnhofstraße',
  'Burggasse',
  'Feldstraße',
  'Gartenstraße',
  'Hafenstraße',
  'Kirchplatz',
  'Lindenallee',
  'Mühlenweg',
  'Schulstraße',
] as const
const CARRIERS = ['Graureiher', 'Flinkbote', 'Nordpaket', 'Tagpost', 'Hollerkurier'] as const

/** Draws a city. */
export function drawCity(random: Random): string {
  return random.pick(CITIES)
}

/** Draws a street with its number, e.g. `Mühlenweg 14`. */
export function drawStreet(random: Random): string {
  return `${random.pick(STREETS)} ${random.integer(2, 148)}`
}

/** Draws one of the made-up parcel services. */
export function drawCarrier(random: Random): string {
  return random.pick(CARRIERS)
}
