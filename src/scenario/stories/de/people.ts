import { type People, plainLetters } from '../people.js'

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }

/** German names tell whether somebody is greeted as Frau or as Herr. */
export const people: People = {
  names: ({ first_name, last_name }) => ({
    first: { female: first_name?.female ?? [], male: first_name?.male ?? [] },
    last: last_name?.generic ?? [],
  }),
  fullName: (firstName, lastName) => `${firstName} ${lastName}`,
  latin: (firstName, lastName) => [withoutUmlauts(firstName), withoutUmlauts(lastName)],
  providers: ['postfach.example', 'briefkasten.example', 'webpost.example', 'mailhaus.example'],
  companies: ['lindenhof', 'nordwerk', 'steinfeld', 'talblick', 'hafenkontor', 'morgenrot'],
}

function withoutUmlauts(name: string): string {
  return plainLetters(name.toLowerCase().replace(/[äöüß]/g, (letter) => UMLAUTS[letter] as string))
}
