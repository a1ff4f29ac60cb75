import type { Random } from '../../../../world/random.js'

/** A made-up firm and the domain it writes from; all of them take `a`. */
export interface Firm {
  readonly name: string
  readonly domain: string
}

const EMPLOYERS: readonly Firm[] = [
  { name: 'Cooperativa Serra do Caju', domain: 'serradocaju.example' },
  { name: 'Clínica Odontológica Vila Jatobá', domain: 'odontojatoba.example' },
  { name: 'Escola Pé de Ipê', domain: 'escolapedeipe.example' },
  { name: 'Transportadora Curva do Rio', domain: 'curvadorio.example' },
  { name: 'Pousada Recanto da Garça', domain: 'recantodagarca.example' },
  { name: 'Gráfica Papel de Pão', domain: 'papeldepao.example' },
  { name: 'Construtora Três Coqueiros', domain: 'trescoqueiros.example' },
  { name: 'Maciel & Prata Arquitetura', domain: 'macielprata.example' },
  { name: 'Torrefação Café da Grota', domain: 'cafedagrota.example' },
]

const SHOPS: readonly Firm[] = [
  { name: 'Papelaria Ponta de Lápis', domain: 'pontadelapis.example' },
  { name: 'Torra do Beco', domain: 'torradobeco.example' },
  { name: 'Casa do Parafuso Torto', domain: 'parafusotorto.example' },
  { name: 'Loja Varal', domain: 'lojavaral.example' },
  { name: 'Caixote Suprimentos', domain: 'caixotesuprimentos.example' },
  { name: 'Vendinha Jabuti', domain: 'vendinhajabuti.example' },
]

const DEPARTMENTS = [
  'Compras',
  'Setor Administrativo',
  'Financeiro',
  'Recursos Humanos',
  'Tecnologia da Informação',
  'Coordenação de Projetos',
] as const

/** Draws the firm somebody works for. */
export function drawEmployer(random: Random): Firm {
  return random.pick(EMPLOYERS)
}

/** Draws a shop that writes to its customers. */
export function drawShop(random: Random): Firm {
  return random.pick(SHOPS)
}

/** Draws the department somebody works in, e.g. `Financeiro`. */
export function drawDepartment(random: Random): string {
  return random.pick(DEPARTMENTS)
}
