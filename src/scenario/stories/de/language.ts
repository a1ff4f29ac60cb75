import type { Language } from '../language.js'
import type { Circumstances } from '../letters/circumstances.js'
import { variant } from '../letters/variant.js'
import { formatWeekday, timelyGreeting } from './facts/dates.js'
import { furtherTopics } from './further-topics.js'
import { people } from './people.js'

/**
 * How German letters are written.
 *
 * Every greeting ends in a comma and none is left out, so the wordings of all kinds go on in lower case,
 * as the spelling wants it.
 */
export const german: Language = {
  tag: 'de',
  people,
  greetings: {
    opening: [
      'Guten Tag,',
      'Hallo,',
      'Sehr geehrte Damen und Herren,',
      'Guten Tag,',
      'Hallo zusammen,',
      'Sehr geehrte Damen und Herren,',
      ({ company }) => `Liebes Team von ${company},`,
      ({ begins }) => `${timelyGreeting(begins)},`,
    ],
    followUp: ['Guten Tag,', 'Hallo,', 'Hallo noch einmal,', 'Guten Tag,', 'Hallo zusammen,'],
    agent: [
      (circumstances) => `Guten Tag ${addressed(circumstances)},`,
      (circumstances) => `Hallo ${addressed(circumstances)},`,
      (circumstances) => formalGreeting(circumstances),
    ],
  },
  closings: {
    person: [
      'Mit freundlichen Grüßen\n',
      'Viele Grüße\n',
      'Freundliche Grüße\n',
      'Beste Grüße\n',
      'Danke und viele Grüße\n',
      'Vielen Dank im Voraus\n',
      'Gruß\n',
      '',
    ],
    calm: ['Viele Grüße\n', 'Herzliche Grüße\n', 'Freundliche Grüße\n', 'Beste Grüße\n', ''],
    agent: ['Mit freundlichen Grüßen\n', 'Freundliche Grüße\n', 'Viele Grüße\n', 'Beste Grüße\n'],
  },
  signName,
  signAgent: ({ agentName, company }) => (agentName === company ? company : `${agentName}\n${company}`),
  devices: ['', '', '', '', '', '', '', 'Von meinem Smartphone gesendet', 'Von unterwegs gesendet'],
  postscripts: [
    'P.S. Bitte antworten Sie an diese Adresse, die andere rufe ich kaum noch ab.',
    'P.S. Falls diese Mail doppelt ankommt: Mein Mailprogramm hat vorhin gestreikt.',
    'P.S. Ab Donnerstag bin ich unterwegs, lese aber meine Mails.',
    'P.S. Telefonisch erreichen Sie mich am besten vormittags.',
  ],
  quotes: (writer, at) =>
    at === null ? `${writer} schrieb:` : `Am ${formatWeekday(at)}, schrieb ${writer}:`,
  colon: ': ',
  furtherTopics,
}

/** e.g. `Frau Lee`; in full where the name does not tell. */
function addressed({ gender, fullName, lastName }: Circumstances): string {
  if (gender === 'unknown') return fullName
  return `${gender === 'female' ? 'Frau' : 'Herr'} ${lastName}`
}

function formalGreeting(circumstances: Circumstances): string {
  const { gender } = circumstances
  if (gender === 'unknown') return `Guten Tag ${circumstances.fullName},`
  return `${gender === 'female' ? 'Sehr geehrte' : 'Sehr geehrter'} ${addressed(circumstances)},`
}

/** In full under the first message; later some shorten their first name. */
function signName({ firstName, lastName, fullName, voice }: Circumstances, index: number, titles: string) {
  if (index > 0) return variant([fullName, fullName, `${firstName.charAt(0)}. ${lastName}`], voice, 402)
  return titles === '' ? fullName : `${fullName}\n${titles}`
}
