import type { People } from '../people.js'
import { familyNames, femaleNames, latinNames, maleNames } from './names.js'

/** Arabic people; Faker's lists have no spelling in Latin letters, which addresses need, and few women. */
export const people: People = {
  names: () => ({ first: { female: femaleNames, male: maleNames }, last: familyNames }),
  fullName: (firstName, lastName) => `${firstName} ${lastName}`,
  latin: (firstName, lastName) => [latin(firstName), latin(lastName)],
  providers: ['barid.example', 'rasael.example', 'sandouq.example', 'mailbox.example'],
  companies: ['alwaha-trade', 'qimam-group', 'bawaba-tech', 'rimal-est', 'shorouq-co', 'manara-works'],
}

function latin(name: string): string {
  return latinNames[name] ?? 'ism'
}
