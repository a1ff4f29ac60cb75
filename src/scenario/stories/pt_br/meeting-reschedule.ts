import { DAY, MINUTE, startOfDay, workdayAfter } from '../facts/calendar.js'
import { gendered } from '../letters/gendered.js'
import { plainFarewells } from './closing-words.js'
import { formatDay, formatHour } from './facts/dates.js'
import { drawEmployer } from './facts/firms.js'
import { conversation } from './portuguese.js'

// All of them take `a`.
const MEETINGS = [
  'reunião mensal',
  'conversa sobre o contrato',
  'reunião de abertura do projeto',
  'revisão do trimestre',
  'reunião de orçamento',
] as const
const REASONS = [
  'vou ter que viajar de última hora',
  'a auditoria marcou visita para o mesmo dia',
  'mudaram o horário do meu voo de volta',
  'não vai ter aula nesse dia e fico com as crianças em casa',
  'metade da equipe vai estar em treinamento',
] as const

/** Somebody asks to move a meeting. */
export const meetingReschedule = conversation({
  name: 'meeting-reschedule',
  category: 'calendar',
  weight: 4,
  facts: (random, setting) => {
    const oldDay = workdayAfter(startOfDay(setting.begins) + random.integer(4, 9) * DAY)
    const newDay = workdayAfter(oldDay + random.integer(1, 5) * DAY)
    return {
      meeting: random.pick(MEETINGS),
      reason: random.pick(REASONS),
      oldDay: formatDay(oldDay),
      oldTime: formatHour(random.integer(18, 32) * 30 * MINUTE),
      newDay: formatDay(newDay),
      newTime: formatHour(random.integer(18, 32) * 30 * MINUTE),
      number: random.integer(1_000, 9_999),
      guests: random.integer(3, 8),
      firm: drawEmployer(random).name,
    }
  },
  subject: [
    (f) => `Remarcar a ${f.meeting} de ${f.oldDay}`,
    (f) => `${f.meeting.charAt(0).toUpperCase()}${f.meeting.slice(1)}: pode ser ${f.newDay}?`,
    (f) => `Não vou conseguir na ${f.oldDay}, às ${f.oldTime}`,
    (f) => `Mudança de data - ${f.firm}`,
  ],
  opening: [
    (f) => [
      `Infelizmente não vou conseguir participar da ${f.meeting} na ${f.oldDay}, às ${f.oldTime}: ${f.reason}.`,
      `Para vocês, ${f.newDay}, às ${f.newTime}, funciona?`,
    ],
    (f) =>
      `Podemos passar a ${f.meeting} de ${f.oldDay}, ${f.oldTime}, para ${f.newDay}, ${f.newTime}? Mesmo lugar, mesmas ${f.guests} pessoas.`,
    (f) => [
      `Sei que levamos semanas para achar uma data, mas ${f.reason}, e ${f.oldDay}, não vai mais dar.`,
      `Consultei o pessoal daqui, e ${f.newDay}, às ${f.newTime}, serve para todos. Como está a agenda de vocês?`,
    ],
    (f) => [
      `Desculpem o aviso em cima da hora. Sobre a ${f.meeting} de ${f.oldDay}: ${f.reason}.`,
      `Sugiro ${f.newDay}, às ${f.newTime}. Se não der, me mandem outras opções.`,
    ],
  ],
  answer: [
    (f) => [
      `Sem problema. Temos ${f.newDay}, às ${f.newTime}, livre, e já deixei a ${f.meeting} pré-agendada.`,
      `Convido as mesmas ${f.guests} pessoas e mantenho uma hora de duração?`,
    ],
    (f) => [
      `Agradecemos o aviso. Tirei ${f.oldDay} da agenda e anotei ${f.newDay}, ${f.newTime}.`,
      'Antes de enviar o novo convite: presencial, como estava previsto, ou por vídeo?',
    ],
    (f) =>
      `Pode ser. Vou reservar ${f.newDay}, a partir das ${f.newTime}. Quer incluir alguma coisa na pauta da ${f.meeting}?`,
  ],
  reaction: [
    () => 'Por vídeo fica mais fácil agora, uma hora basta. Mesmas pessoas e nada de novo na pauta.',
    (f) =>
      `As mesmas pessoas. E, se puder ser por vídeo, melhor ainda: ${f.newTime} fica apertado com o trânsito.`,
    (f) =>
      `Perfeito. Inclua dez minutos para perguntas sobre custos e avise os demais que ${f.oldDay} está cancelada. Prefiro por vídeo.`,
  ],
  solution: [
    (f) => [
      `O convite para ${f.newDay}, ${f.newTime}, foi enviado às ${f.guests} pessoas, e a data antiga está cancelada.`,
      `Ficou por vídeo. O código da sala é ${f.number}.`,
    ],
    (f) =>
      `Tudo alterado: ${f.newDay}, às ${f.newTime}, por vídeo, código ${f.number}. Até agora ninguém reclamou.`,
    (f) => [
      `Avisei todo mundo da nova data e cancelei ${f.oldDay}.`,
      `Para entrar, usem o código ${f.number}. Até lá!`,
    ],
  ],
  thanks: [
    (f) => `Convite recebido, ${f.newDay} já está na agenda. ${gendered(f, 'Obrigada', 'Obrigado')}!`,
    () => 'Confirmado. Vocês me salvaram de um telefonema bem constrangedor.',
    (f) =>
      `Muito ${gendered(f, 'obrigada', 'obrigado')}, e desculpem mais uma vez. O próximo café é por minha conta.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => 'Quem faz a ata desta vez? Nas duas últimas fui eu.',
        (f) => `Preciso preparar alguma coisa para a ${f.meeting}?`,
      ],
      answer: [
        () => 'A ata fica com a gente. Se trouxerem os números do último trimestre, é o suficiente.',
        () => 'Só os números do último trimestre. A ata fica com a gente.',
      ],
    },
    {
      question: [
        (f) => `O código ${f.number} não está funcionando. Tem outro jeito de entrar?`,
        (f) => `Um dos nossos não recebeu o convite. Podem reenviar para as ${f.guests} pessoas?`,
      ],
      answer: [
        (f) => `Reenviei o convite. O código continua ${f.number}; depois dele é preciso digitar #.`,
        () => 'Reenviado, agora com um link direto para quem preferir não digitar o código.',
      ],
    },
  ],
  titles: (f) => f.firm,
  attachment: (f, index) =>
    index === 0 || index === 3 ? { fixture: 'meeting.ics', filename: `reuniao-${f.number}.ics` } : undefined,
})
