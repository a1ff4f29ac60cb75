import type { People } from '../people.js'

const NOT_PLAIN = /[^a-z]/g

/** English names tell no gender here: nothing is inflected by it. */
export const people: People = {
  names: ({ first_name, last_name }) => ({
    first: { unknown: first_name?.generic ?? [] },
    last: last_name?.generic ?? [],
  }),
  fullName: (firstName, lastName) => `${firstName} ${lastName}`,
  latin: (firstName, lastName) => [plain(firstName), plain(lastName)],
  providers: ['mailbox.example', 'letterbox.example', 'inbox.example', 'postfach.example'],
  companies: ['brightfield', 'oakline', 'harbourworks', 'lumenpost', 'fernhill', 'quillworks'],
}

function plain(name: string): string {
  return name.toLowerCase().replace(NOT_PLAIN, '')
}
