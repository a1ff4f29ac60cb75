import type { Random } from '../../../../world/random.js'

const CITIES = [
  'Belém',
  'Belo Horizonte',
  'Blumenau',
  'Campinas',
  'Campo Grande',
  'Caruaru',
  'Curitiba',
  'Feira de Santana',
  'Fortaleza',
  'Goiânia',
  'João Pessoa',
  'Juiz de Fora',
  'Londrina',
  'Manaus',
  'Pelotas',
  'Ribeirão Preto',
] as const

const STREETS = [
  'Rua das Acácias',
  'Rua do Sol',
  'Avenida das Palmeiras',
  'Rua da Matriz',
  'Travessa do Mercado',
  'Rua dos Ipês',
  'Alameda das Flores',
  'Rua Boa Vista',
] as const

const CARRIERS = [
  'Tucano Log',
  'Rota Sabiá',
  'Expresso Jaçanã',
  'Ligeirinho Cargas',
  'Trilha Entregas',
] as const

/** Draws a city. */
export function drawCity(random: Random): string {
  return random.pick(CITIES)
}

/** Draws a street with its number, e.g. `Rua das Acácias, 142`; all of them take `a`. */
export function drawStreet(random: Random): string {
  return `${random.pick(STREETS)}, ${random.integer(12, 1_890)}`
}

/** Draws one of the made-up parcel services; all are spoken of with `a`, as `a transportadora` is. */
export function drawCarrier(random: Random): string {
  return random.pick(CARRIERS)
}
