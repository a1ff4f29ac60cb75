import type { Random } from '../../../../world/random.js'
import { priceNear, tradeOf } from '../../facts/catalogue.js'

/** A thing on sale, with the articles that its gender asks for. */
export interface Product {
  /** e.g. `luminária de mesa`. */
  readonly item: string
  /** e.g. `a luminária de mesa`. */
  readonly theItem: string
  /** e.g. `uma luminária de mesa`. */
  readonly anItem: string
  /** e.g. `da luminária de mesa`. */
  readonly ofItem: string
  readonly centavos: number
}

/** A noun with `a` or `o` and a usual price in reais. */
type Good = readonly [article: 'a' | 'o', name: string, reais: number]

const HOME: readonly Good[] = [
  ['a', 'chaleira elétrica', 149],
  ['o', 'jogo de panelas', 389],
  ['a', 'cafeteira italiana', 119],
  ['o', 'liquidificador', 189],
  ['a', 'rede de descanso', 159],
  ['o', 'tapete de sala', 329],
  ['a', 'manta de sofá', 98],
  ['o', 'ventilador de mesa', 175],
]

const OFFICE: readonly Good[] = [
  ['a', 'cadeira de escritório', 749],
  ['a', 'luminária de mesa', 129],
  ['o', 'suporte de monitor', 179],
  ['o', 'teclado sem fio', 159],
  ['o', 'carregador USB-C', 99],
  ['a', 'impressora de etiquetas', 429],
  ['o', 'quadro branco', 145],
  ['a', 'fragmentadora de papel', 379],
]

const OUTDOOR: readonly Good[] = [
  ['a', 'barraca para quatro pessoas', 459],
  ['a', 'mochila de trilha', 289],
  ['o', 'saco de dormir', 199],
  ['a', 'lanterna de cabeça', 79],
  ['o', 'fogareiro portátil', 139],
  ['a', 'caixa térmica', 229],
  ['a', 'cadeira de praia', 119],
  ['o', 'guarda-sol', 149],
]

const TRADES: readonly (readonly Good[])[] = [HOME, OFFICE, OUTDOOR]
const CENTS = [0, 90, 90, 99] as const

/** Draws something the company sells; a company always sells the same range of goods. */
export function drawProduct(random: Random, company: string): Product {
  const [article, item, reais] = random.pick(tradeOf(TRADES, company))
  return {
    item,
    theItem: `${article} ${item}`,
    anItem: `${article === 'a' ? 'uma' : 'um'} ${item}`,
    ofItem: `d${article} ${item}`,
    centavos: priceNear(random, reais, CENTS),
  }
}
