import type { Language } from '../language.js'
import type { Circumstances } from '../letters/circumstances.js'
import { formatDay, partOfDay } from './facts/dates.js'
import { furtherTopics } from './further-topics.js'
import { people } from './people.js'
import { withSlip } from './slips.js'

/** How English letters are written. */
export const english: Language = {
  people,
  greetings: {
    opening: [
      'Hi,',
      'Hello,',
      'Hi there,',
      'Hi,',
      'Hello,',
      ({ company }) => `Hi ${company} team,`,
      ({ company }) => `Dear ${company},`,
      ({ agentName }) => `Hello ${agentName},`,
      ({ begins }) => `Good ${partOfDay(begins)},`,
      'To whom it may concern,',
    ],
    // In the middle of a conversation some people do without.
    followUp: ['Hi,', 'Hello,', 'Hi again,', 'Hello again,', 'Hi,', ''],
    agent: [
      ({ firstName }) => `Hi ${firstName},`,
      ({ firstName }) => `Hello ${firstName},`,
      ({ firstName }) => `Dear ${firstName},`,
    ],
  },
  closings: {
    person: [
      'Best regards,\n',
      'Kind regards,\n',
      'Regards,\n',
      'Thanks,\n',
      'Many thanks,\n',
      'Best,\n',
      '',
      '',
    ],
    calm: ['Best regards,\n', 'Kind regards,\n', 'Cheers,\n', 'Best,\n', ''],
    agent: ['Kind regards,\n', 'Best regards,\n', 'All the best,\n', 'With best wishes,\n'],
  },
  signName,
  signAgent: ({ agentName, company }) => (agentName === company ? company : `${agentName}\n${company}`),
  devices: ['', '', '', '', '', '', '', 'Sent from my phone', 'Sent from my tablet'],
  postscripts: [
    'P.S. Please write to this address, I hardly look at my other one.',
    'P.S. Sorry if this reaches you twice, my mail program was acting up.',
    'P.S. I am travelling from Thursday on, but I do read my mail.',
    'P.S. Mornings are best if you would rather call.',
  ],
  quotes: (writer, at) => (at === null ? `${writer} wrote:` : `On ${formatDay(at)}, ${writer} wrote:`),
  colon: ': ',
  furtherTopics,
  withSlip,
}

/** In full under the first message, then by first name. */
function signName({ firstName, fullName }: Circumstances, index: number, titles: string): string {
  if (index > 0) return firstName
  return titles === '' ? fullName : `${fullName}\n${titles}`
}
