import type { Random } from '../../../../world/random.js'

/** A made-up firm and the domain it writes from. */
export interface Firm {
  readonly name: string
  readonly domain: string
}

const EMPLOYERS: readonly Firm[] = [
  { name: 'Brackwater Foods', domain: 'brackwater.example' },
  { name: 'Hexley Dental Group', domain: 'hexleydental.example' },
  { name: 'Tolliver & Pike', domain: 'tolliverpike.example' },
  { name: 'Sandmoor Primary School', domain: 'sandmoor-school.example' },
  { name: 'Corrindale Freight', domain: 'corrindale.example' },
  { name: 'Ostrava Lane Hotels', domain: 'ostravalane.example' },
  { name: 'Wexcombe Housing Trust', domain: 'wexcombe-housing.example' },
  { name: 'Fathom & Vale Architects', domain: 'fathomvale.example' },
  { name: 'Lindqvist Joinery', domain: 'lindqvistjoinery.example' },
  { name: 'Marrowby Clinic', domain: 'marrowbyclinic.example' },
  { name: 'Pellham Events', domain: 'pellhamevents.example' },
  { name: 'Ravensgate Library', domain: 'ravensgate-library.example' },
]

const SHOPS: readonly Firm[] = [
  { name: 'Paperhythe', domain: 'paperhythe.example' },
  { name: 'Tinker & Thrum', domain: 'tinkerthrum.example' },
  { name: 'Oddfellow Supplies', domain: 'oddfellow-supplies.example' },
  { name: 'Beanquay Coffee', domain: 'beanquay.example' },
  { name: 'Wickerby Stores', domain: 'wickerby.example' },
  { name: 'Copperplate Print', domain: 'copperplateprint.example' },
  { name: 'Larch Street Hardware', domain: 'larchstreet.example' },
  { name: 'Nimble Crate', domain: 'nimblecrate.example' },
]

const ROLES = [
  'Office Manager',
  'Head of Purchasing',
  'Facilities Lead',
  'Operations Manager',
  'Accounts Payable',
  'Project Coordinator',
  'Buyer',
  'Assistant to the Managing Director',
] as const

/** Draws the firm somebody works for. */
export function drawEmployer(random: Random): Firm {
  return random.pick(EMPLOYERS)
}

/** Draws a shop that writes to its customers. */
export function drawShop(random: Random): Firm {
  return random.pick(SHOPS)
}

/** Draws what somebody does for their employer, e.g. `Office Manager`. */
export function drawRole(random: Random): string {
  return random.pick(ROLES)
}
