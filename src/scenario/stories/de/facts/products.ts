import type { Random } from '../../../../world/random.js'
import { priceNear, tradeOf } from '../../facts/catalogue.js'
import { type NounGender, type Thing, thingOf } from './nouns.js'

/** A thing on sale, with its price in cents. */
export interface Product extends Thing {
  readonly cents: number
}

type Good = readonly [name: string, gender: NounGender, price: number]

const SERIES = [
  'Ahorn',
  'Basalt',
  'Birke',
  'Düne',
  'Enzian',
  'Falke',
  'Fichte',
  'Heide',
  'Kobalt',
  'Lerche',
  'Marsch',
  'Meridian',
  'Wacholder',
  'Weide',
] as const

const OUTDOOR: readonly Good[] = [
  ['Rucksack', 'm', 95],
  ['Schlafsack', 'm', 120],
  ['Zweipersonenzelt', 'n', 230],
  ['Gaskocher', 'm', 55],
  ['Stirnlampe', 'f', 35],
  ['Klappstuhl', 'm', 48],
  ['Kühlbox', 'f', 79],
  ['Hängematte', 'f', 65],
]
const HOME: readonly Good[] = [
  ['Stehlampe', 'f', 89],
  ['Nachttisch', 'm', 115],
  ['Wolldecke', 'f', 68],
  ['Wanduhr', 'f', 45],
  ['Bücherregal', 'n', 180],
  ['Wäschekorb', 'm', 32],
  ['Sessel', 'm', 420],
  ['Garderobe', 'f', 74],
]
const KITCHEN: readonly Good[] = [
  ['Wasserkocher', 'm', 49],
  ['Gusspfanne', 'f', 72],
  ['Messerblock', 'm', 130],
  ['Stabmixer', 'm', 58],
  ['Brotkasten', 'm', 36],
  ['Kaffeemühle', 'f', 84],
  ['Nudelmaschine', 'f', 69],
  ['Küchenwaage', 'f', 28],
]
const OFFICE: readonly Good[] = [
  ['Schreibtischlampe', 'f', 64],
  ['Bürostuhl', 'm', 289],
  ['Monitorarm', 'm', 118],
  ['Stehpult', 'n', 540],
  ['Aktenschrank', 'm', 165],
  ['Etikettendrucker', 'm', 99],
  ['Fußstütze', 'f', 44],
  ['Whiteboard', 'n', 76],
]
const GARDEN: readonly Good[] = [
  ['Schlauchwagen', 'm', 59],
  ['Gartenbank', 'f', 240],
  ['Futterhaus', 'n', 26],
  ['Schubkarre', 'f', 98],
  ['Heckenschere', 'f', 135],
  ['Gießkanne', 'f', 31],
  ['Sonnenschirm', 'm', 88],
  ['Hochbeet', 'n', 95],
]
const CYCLING: readonly Good[] = [
  ['Fahrradlicht', 'n', 39],
  ['Packtasche', 'f', 78],
  ['Standpumpe', 'f', 46],
  ['Faltschloss', 'n', 85],
  ['Kindersitz', 'm', 129],
  ['Sattel', 'm', 92],
  ['Montageständer', 'm', 140],
  ['Lenkertasche', 'f', 57],
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
