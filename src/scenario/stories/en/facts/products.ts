import type { Random } from '../../../../world/random.js'
import { priceNear, tradeOf } from '../../facts/catalogue.js'

/** A thing on sale. */
export interface Product {
  /** What people call it, after `the`, `my` or `a`, e.g. `Birch desk lamp`. */
  readonly item: string
  /** Its price in hundredths of a currency. */
  readonly cents: number
}

interface Range {
  /** Nouns in the singular, each with a usual price in whole units. */
  readonly goods: readonly (readonly [name: string, price: number])[]
  readonly fitted: readonly (readonly [name: string, price: number, sizes: readonly string[]])[]
}

// Each begins with a consonant sound, so that `a` fits before it.
const SERIES = [
  'Birch',
  'Cobalt',
  'Drift',
  'Fenland',
  'Harrow',
  'Juniper',
  'Kestrel',
  'Larkspur',
  'Meridian',
  'Quarry',
  'Rowan',
  'Saltmarsh',
  'Tern',
  'Willow',
] as const

const LETTERS = ['XS', 'S', 'M', 'L', 'XL'] as const
const BEDS = ['single', 'double', 'king size'] as const
const WIDTHS = ['60 cm', '80 cm', '100 cm', '120 cm'] as const
const INCHES = ['13 inch', '14 inch', '15 inch', '16 inch'] as const
const PENCE = [0, 0, 50, 90, 95, 99] as const

const OUTDOOR: Range = {
  goods: [
    ['rucksack', 95],
    ['sleeping bag', 120],
    ['two-person tent', 230],
    ['camping stove', 55],
    ['head torch', 35],
    ['folding chair', 48],
    ['water filter', 42],
    ['dry bag', 24],
    ['cool box', 79],
    ['hammock', 65],
  ],
  fitted: [
    ['rain jacket', 140, LETTERS],
    ['fleece', 75, LETTERS],
    ['merino top', 62, LETTERS],
    ['down vest', 110, LETTERS],
  ],
}

const HOME: Range = {
  goods: [
    ['floor lamp', 89],
    ['bedside table', 115],
    ['wool blanket', 68],
    ['wall clock', 45],
    ['bookshelf', 180],
    ['laundry basket', 32],
    ['hall mirror', 96],
    ['armchair', 420],
    ['rug', 210],
    ['coat rack', 74],
  ],
  fitted: [
    ['dressing gown', 58, LETTERS],
    ['duvet cover', 49, BEDS],
    ['mattress topper', 130, BEDS],
    ['roller blind', 38, WIDTHS],
  ],
}

const KITCHEN: Range = {
  goods: [
    ['kettle', 49],
    ['cast-iron pan', 72],
    ['knife block', 130],
    ['hand blender', 58],
    ['bread bin', 36],
    ['coffee grinder', 84],
    ['toaster', 62],
    ['pasta machine', 69],
    ['kitchen scale', 28],
    ['casserole dish', 92],
  ],
  fitted: [
    ['apron', 29, LETTERS],
    ["chef's jacket", 54, LETTERS],
    ['worktop board', 66, WIDTHS],
  ],
}

const OFFICE: Range = {
  goods: [
    ['desk lamp', 64],
    ['office chair', 289],
    ['monitor arm', 118],
    ['standing desk', 540],
    ['filing cabinet', 165],
    ['label printer', 99],
    ['whiteboard', 76],
    ['footrest', 44],
    ['document shredder', 129],
    ['conference speaker', 149],
  ],
  fitted: [
    ['laptop sleeve', 34, INCHES],
    ['privacy filter', 52, INCHES],
    ['desk mat', 27, WIDTHS],
    ['lab coat', 45, LETTERS],
  ],
}

const GARDEN: Range = {
  goods: [
    ['hose reel', 59],
    ['garden bench', 240],
    ['bird feeder', 26],
    ['wheelbarrow', 98],
    ['hedge trimmer', 135],
    ['compost bin', 72],
    ['watering can', 31],
    ['parasol', 88],
    ['fire bowl', 145],
    ['potting table', 119],
  ],
  fitted: [
    ['work jacket', 82, LETTERS],
    ['gardening apron', 33, LETTERS],
    ['raised bed', 95, WIDTHS],
  ],
}

const CYCLING: Range = {
  goods: [
    ['bike light', 39],
    ['pannier', 78],
    ['floor pump', 46],
    ['folding lock', 85],
    ['child seat', 129],
    ['saddle', 92],
    ['repair stand', 140],
    ['handlebar bag', 57],
    ['phone mount', 29],
    ['cargo trailer', 310],
  ],
  fitted: [
    ['jersey', 69, LETTERS],
    ['rain cape', 74, LETTERS],
    ['helmet', 88, LETTERS],
    ['thermal gilet', 79, LETTERS],
  ],
}

const RANGES: readonly Range[] = [OUTDOOR, HOME, KITCHEN, OFFICE, GARDEN, CYCLING]

/** Draws something the company sells; a company always sells the same range of goods. */
export function drawProduct(random: Random, company: string): Product {
  const [name, price] = random.pick(tradeOf(RANGES, company).goods)
  return { item: `${random.pick(SERIES)} ${name}`, cents: priceNear(random, price, PENCE) }
}

/** Draws something that comes in sizes, from the smallest to the largest. */
export function drawFittedProduct(
  random: Random,
  company: string,
): Product & { readonly sizes: readonly string[] } {
  const [name, price, sizes] = random.pick(tradeOf(RANGES, company).fitted)
  return { item: `${random.pick(SERIES)} ${name}`, cents: priceNear(random, price, PENCE), sizes }
}
