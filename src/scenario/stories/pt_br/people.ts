import { type People, plainLetters } from '../people.js'

/** Brazilian people. */
export const people: People = {
  names: ({ first_name, last_name }) => ({
    first: { female: first_name?.female ?? [], male: first_name?.male ?? [] },
    last: last_name?.generic ?? [],
  }),
  fullName: (firstName, lastName) => `${firstName} ${lastName}`,
  latin: (firstName, lastName) => [plainLetters(firstName), plainLetters(lastName)],
  providers: ['correiodaqui.example', 'caixapostal.example', 'cartinha.example', 'mailbox.example'],
  companies: [
    'ipeamarelo',
    'serragaucha-moveis',
    'aguasclaras',
    'brisatec',
    'marabaixo',
    'casaverde-jardins',
  ],
}
