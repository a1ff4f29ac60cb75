import type { Random } from '../../../../world/random.js'

const CITIES = [
  '札幌市',
  '仙台市',
  '宇都宮市',
  '新潟市',
  '金沢市',
  '松本市',
  '静岡市',
  '姫路市',
  '岡山市',
  '高松市',
  '松山市',
  '熊本市',
] as const

const QUARTERS = ['緑町', '桜台', '若葉町', '本町', '栄町', '旭町', '泉町', '川端町'] as const

const CARRIERS = ['つばめ急配', 'みなも宅配', 'やまびこ運送', 'ことり便', 'かもめ通運'] as const

/** Draws a city, e.g. `金沢市`. */
export function drawCity(random: Random): string {
  return random.pick(CITIES)
}

/** Draws the rest of an address, e.g. `若葉町2-14-3`. */
export function drawBlock(random: Random): string {
  const block = `${random.integer(1, 6)}-${random.integer(1, 28)}-${random.integer(1, 19)}`
  return `${random.pick(QUARTERS)}${block}`
}

/** Draws one of the made-up parcel services. */
export function drawCarrier(random: Random): string {
  return random.pick(CARRIERS)
}
