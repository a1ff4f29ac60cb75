import type { People } from '../people.js'
import { familyNames, femaleNames, latinNames, maleNames } from './names.js'

/** Japanese people; Faker's lists have no readings, which addresses need. */
export const people: People = {
  names: () => ({ first: { female: femaleNames, male: maleNames }, last: familyNames }),
  fullName: (firstName, lastName) => `${lastName} ${firstName}`,
  latin: (firstName, lastName) => [latin(firstName), latin(lastName)],
  providers: ['tegami.example', 'yubinbako.example', 'otayori.example', 'mailbox.example'],
  companies: ['hinatabocco', 'sazanami-works', 'kitanomori', 'aozora-shoji', 'minatogaoka', 'tsubakiya'],
}

function latin(name: string): string {
  return latinNames[name] ?? 'namae'
}
