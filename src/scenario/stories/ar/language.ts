import type { Language } from '../language.js'
import type { Circumstances } from '../letters/circumstances.js'
import { gendered } from '../letters/gendered.js'
import { formatDate, isMorning } from './facts/dates.js'
import { furtherTopics } from './further-topics.js'
import { people } from './people.js'

/** How letters in Modern Standard Arabic are written; the reader is addressed in the polite plural. */
export const arabic: Language = {
  tag: 'ar',
  rightToLeft: true,
  people,
  greetings: {
    opening: [
      'السلام عليكم ورحمة الله وبركاته،',
      'السلام عليكم،',
      'تحية طيبة وبعد،',
      'مرحبًا،',
      ({ company }) => `السادة في ${company} المحترمين،\n\nتحية طيبة وبعد،`,
      ({ company }) => `إلى فريق ${company}، تحية طيبة،`,
      ({ agentName }) => `السادة ${agentName}،\n\nالسلام عليكم ورحمة الله،`,
      ({ begins }) => (isMorning(begins) ? 'صباح الخير،' : 'مساء الخير،'),
    ],
    followUp: ['السلام عليكم،', 'وعليكم السلام ورحمة الله،', 'مرحبًا مجددًا،', 'تحية طيبة،', ''],
    agent: [
      (c) =>
        `${title(c)} ${c.fullName} ${gendered(c, 'المحترمة', 'المحترم')}،\n\nالسلام عليكم ورحمة الله وبركاته،`,
      (c) => `${gendered(c, 'الأستاذة', 'الأستاذ')} ${c.firstName}،\n\nالسلام عليكم ورحمة الله،`,
      (c) => `${gendered(c, 'عزيزتي', 'عزيزي')} ${c.firstName}،\n\nالسلام عليكم،`,
    ],
  },
  closings: {
    person: [
      'مع خالص الشكر والتقدير،\n',
      'وتفضلوا بقبول فائق الاحترام،\n',
      'مع التحية،\n',
      'تحياتي،\n',
      'في انتظار ردكم،\n',
      '',
    ],
    calm: ['مع أطيب التحيات،\n', 'دمتم بخير،\n', 'تحياتي،\n', ''],
    agent: [
      'مع أطيب التحيات،\n',
      'مع خالص التحية والتقدير،\n',
      'مع تمنياتنا لكم بيوم سعيد،\n',
      'دائمًا في خدمتكم،\n',
    ],
  },
  signName,
  signAgent: ({ agentName, company }) => (agentName === company ? company : `${agentName}\n${company}`),
  devices: ['', '', '', '', '', '', 'أُرسلت من هاتفي', 'أُرسلت من جهازي اللوحي'],
  postscripts: [
    'ملاحظة: أرجو الرد على هذا العنوان، فنادرًا ما أفتح بريدي الآخر.',
    'ملاحظة: أعتذر إن وصلتكم هذه الرسالة مرتين، فقد تعطّل برنامج البريد أثناء الإرسال.',
    'ملاحظة: إن كنتم تفضلون الاتصال، فالفترة الصباحية هي الأنسب لي.',
    'ملاحظة: سأكون في سفر ابتداءً من الخميس، لكنني أتابع بريدي.',
  ],
  // The passive spares us the writer's gender, which mail programs do not know either.
  quotes: (writer, at) =>
    at === null
      ? `تمت كتابة ما يلي بواسطة ${writer}:`
      : `بتاريخ ${formatDate(at)}، تمت كتابة ما يلي بواسطة ${writer}:`,
  colon: ': ',
  furtherTopics,
}

function title(circumstances: Circumstances): string {
  return gendered(circumstances, 'السيدة', 'السيد')
}

/** In full under the first message, then by first name. */
function signName({ firstName, fullName }: Circumstances, index: number, titles: string): string {
  if (index > 0) return firstName
  return titles === '' ? fullName : `${fullName}\n${titles}`
}
