import type { Random } from '../../../../world/random.js'

/** A made-up firm and the domain it writes from. */
export interface Firm {
  readonly name: string
  readonly domain: string
}

const EMPLOYERS: readonly Firm[] = [
  { name: 'Menuiserie Talbot', domain: 'menuiserie-talbot.example' },
  { name: 'Cabinet Morel & Vasseur', domain: 'morel-vasseur.example' },
  { name: 'Transports Delorge', domain: 'transports-delorge.example' },
  { name: 'École des Tilleuls', domain: 'ecole-tilleuls.example' },
  { name: 'Hôtel du Parc Bleu', domain: 'hotel-parcbleu.example' },
  { name: 'Clinique du Val Fleuri', domain: 'clinique-valfleuri.example' },
  { name: 'Librairie Passerose', domain: 'librairie-passerose.example' },
  { name: 'Coopérative du Sillon', domain: 'coop-sillon.example' },
  { name: 'Studio Garance', domain: 'studio-garance.example' },
  { name: 'Imprimerie Clairbois', domain: 'clairbois.example' },
]
const SHOPS: readonly Firm[] = [
  { name: 'Papeterie du Quai', domain: 'papeterieduquai.example' },
  { name: 'La Boîte à Vis', domain: 'boite-a-vis.example' },
  { name: 'Café Mirabelle', domain: 'cafe-mirabelle.example' },
  { name: 'Fil & Papier', domain: 'fil-et-papier.example' },
  { name: 'Le Panier Vert', domain: 'panier-vert.example' },
  { name: 'Comptoir 12', domain: 'comptoir12.example' },
]
const ROLES = [
  'Service achats',
  'Comptabilité',
  'Secrétariat de direction',
  'Services généraux',
  'Gestion de projets',
  'Direction',
] as const

/** Draws the firm somebody works for. */
export function drawEmployer(random: Random): Firm {
  return random.pick(EMPLOYERS)
}

/** Draws a shop that writes to its customers. */
export function drawShop(random: Random): Firm {
  return random.pick(SHOPS)
}

/** Draws where in their firm somebody works, e.g. `Comptabilité`. */
export function drawRole(random: Random): string {
  return random.pick(ROLES)
}
