import type { Random } from '../../../../world/random.js'

const CITIES = [
  'Aarhus',
  'Antwerp',
  'Bath',
  'Bilbao',
  'Bremen',
  'Bristol',
  'Cardiff',
  'Cork',
  'Dundee',
  'Exeter',
  'Galway',
  'Ghent',
  'Graz',
  'Inverness',
  'Leeds',
  'Leipzig',
  'Lille',
  'Malmö',
  'Norwich',
  'Porto',
  'Tampere',
  'Trieste',
  'Utrecht',
  'York',
] as const

const STREETS = [
  'Mill Lane',
  'Station Road',
  'Chapel Street',
  'Orchard Close',
  'Harbour View',
  'Weavers Yard',
  'Lime Avenue',
  'Old Tannery Court',
  'Canal Walk',
  'Foundry Row',
] as const

const CARRIERS = ['Greyheron', 'Hollin Parcels', 'Swiftmoor', 'Tidepost', 'Oxbow Couriers'] as const

/** Draws a city. */
export function drawCity(random: Random): string {
  return random.pick(CITIES)
}

/** Draws a street with its number, e.g. `14 Mill Lane`. */
export function drawStreet(random: Random): string {
  return `${random.integer(2, 148)} ${random.pick(STREETS)}`
}

/** Draws one of the made-up parcel services. */
export function drawCarrier(random: Random): string {
  return random.pick(CARRIERS)
}
