import { type People, plainLetters } from '../people.js'

/** French names tell whether somebody is greeted as Madame or as Monsieur. */
export const people: People = {
  names: ({ first_name, last_name }) => ({
    first: { female: first_name?.female ?? [], male: first_name?.male ?? [] },
    last: last_name?.generic ?? [],
  }),
  fullName: (firstName, lastName) => `${firstName} ${lastName}`,
  latin: (firstName, lastName) => [withoutLigatures(firstName), withoutLigatures(lastName)],
  providers: ['courriel.example', 'boitealettres.example', 'lamalle.example', 'messagier.example'],
  companies: ['clairvallon', 'beaurivage', 'grandchene', 'ateliers-du-port', 'monteclair', 'sillage'],
}

function withoutLigatures(name: string): string {
  return plainLetters(name.toLowerCase().replaceAll('œ', 'oe').replaceAll('æ', 'ae'))
}
