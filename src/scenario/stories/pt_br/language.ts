import type { Language } from '../language.js'
import type { Circumstances } from '../letters/circumstances.js'
import { gendered } from '../letters/gendered.js'
import { formatDay, wishAt } from './facts/dates.js'
import { furtherTopics } from './further-topics.js'
import { people } from './people.js'
import { withSlip } from './slips.js'

/** How letters in Brazilian Portuguese are written. */
export const portuguese: Language = {
  tag: 'pt-BR',
  people,
  greetings: {
    opening: [
      'Olá,',
      'Oi, tudo bem?',
      'Prezados,',
      ({ begins }) => `${wishAt(begins)},`,
      ({ begins }) => `${wishAt(begins)}, tudo bem?`,
      ({ company }) => `Olá, equipe ${company},`,
      ({ company }) => `Prezada equipe ${company},`,
      ({ agentName }) => `Olá, ${agentName},`,
    ],
    followUp: ['Olá,', 'Oi,', 'Oi de novo,', 'Olá novamente,', ''],
    agent: [
      ({ firstName }) => `Olá, ${firstName}!`,
      ({ firstName }) => `Oi, ${firstName}, tudo bem?`,
      (c) => `${gendered(c, 'Prezada', 'Prezado')} ${c.firstName},`,
    ],
  },
  closings: {
    person: [
      'Atenciosamente,\n',
      (c) => `${gendered(c, 'Obrigada', 'Obrigado')},\n`,
      (c) => `Desde já, muito ${gendered(c, 'obrigada', 'obrigado')}.\n`,
      'Fico no aguardo.\n',
      'Abraços,\n',
      'Att.,\n',
      '',
    ],
    calm: ['Abraços,\n', 'Um abraço,\n', 'Atenciosamente,\n', ''],
    agent: ['Atenciosamente,\n', 'Um abraço,\n', 'Cordialmente,\n', 'Conte com a gente!\n'],
  },
  signName,
  signAgent: ({ agentName, company }) => (agentName === company ? company : `${agentName}\n${company}`),
  devices: ['', '', '', '', '', '', 'Enviado do meu celular', 'Enviado do meu tablet'],
  postscripts: [
    'P.S.: Respondam neste endereço, por favor; quase não abro o outro.',
    'P.S.: Desculpem se esta mensagem chegar duas vezes, meu e-mail travou na hora de enviar.',
    'P.S.: Estarei viajando a partir de quinta, mas continuo lendo os e-mails.',
    'P.S.: Se preferirem ligar, de manhã é melhor.',
  ],
  quotes: (writer, at) => (at === null ? `${writer} escreveu:` : `Em ${formatDay(at)}, ${writer} escreveu:`),
  colon: ': ',
  furtherTopics,
  withSlip,
}

/** In full under the first message, then by first name. */
function signName({ firstName, fullName }: Circumstances, index: number, titles: string): string {
  if (index > 0) return firstName
  return titles === '' ? fullName : `${fullName}\n${titles}`
}
