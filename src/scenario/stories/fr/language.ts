import type { Language } from '../language.js'
import type { Circumstances } from '../letters/circumstances.js'
import { formatWeekday, timelyGreeting } from './facts/dates.js'
import { furtherTopics } from './further-topics.js'
import { people } from './people.js'

/** How French letters are written. */
export const french: Language = {
  tag: 'fr',
  people,
  greetings: {
    opening: [
      'Bonjour,',
      'Madame, Monsieur,',
      'Bonjour,',
      'Bonjour à tous,',
      'Madame, Monsieur,',
      ({ begins }) => `${timelyGreeting(begins)},`,
      ({ company }) => `Bonjour à toute l'équipe ${company},`,
    ],
    // In the middle of a conversation some people do without.
    followUp: ['Bonjour,', 'Re-bonjour,', 'Bonjour,', 'Bonjour à nouveau,', ''],
    agent: [
      (circumstances) => `Bonjour ${addressed(circumstances)},`,
      (circumstances) => formalGreeting(circumstances),
      ({ fullName }) => `Bonjour ${fullName},`,
    ],
  },
  closings: {
    person: [
      'Cordialement,\n',
      'Bien cordialement,\n',
      "Merci d'avance,\n",
      'Bonne journée,\n',
      'Avec mes remerciements,\n',
      'Salutations,\n',
      '',
    ],
    calm: ['Cordialement,\n', 'Bien à vous,\n', 'Bonne journée,\n', 'Excellente fin de semaine,\n', ''],
    agent: [
      'Cordialement,\n',
      'Bien cordialement,\n',
      'Nous vous souhaitons une bonne journée,\n',
      'Avec nos meilleures salutations,\n',
    ],
  },
  signName,
  signAgent: ({ agentName, company }) => (agentName === company ? company : `${agentName}\n${company}`),
  devices: ['', '', '', '', '', '', '', 'Envoyé de mon téléphone', 'Envoyé de ma tablette'],
  postscripts: [
    "P.-S. Merci d'écrire à cette adresse, je ne consulte presque plus l'autre.",
    'P.-S. Toutes mes excuses si ce message vous arrive en double, ma messagerie fait des siennes.',
    'P.-S. Je suis en déplacement à partir de jeudi, mais je lis mes messages.',
    "P.-S. Par téléphone, le mieux est de m'appeler le matin.",
  ],
  quotes: (writer, at) =>
    at === null ? `${writer} a écrit :` : `Le ${formatWeekday(at)}, ${writer} a écrit :`,
  colon: ' : ',
  furtherTopics,
}

/** e.g. `Madame Lee`; in full where the name does not tell. */
function addressed({ gender, fullName, lastName }: Circumstances): string {
  if (gender === 'unknown') return fullName
  return `${gender === 'female' ? 'Madame' : 'Monsieur'} ${lastName}`
}

function formalGreeting(circumstances: Circumstances): string {
  const { gender } = circumstances
  if (gender === 'unknown') return `Bonjour ${circumstances.fullName},`
  return `${gender === 'female' ? 'Chère' : 'Cher'} ${addressed(circumstances)},`
}

/** In full under the first message, then by first name. */
function signName({ firstName, fullName }: Circumstances, index: number, titles: string): string {
  if (index > 0) return firstName
  return titles === '' ? fullName : `${fullName}\n${titles}`
}
