import { DAY, MINUTE, startOfDay } from '../facts/calendar.js'
import { conversation } from './arabic.js'
import { plainFarewells } from './closing-words.js'
import { formatDay, formatHour, workdayAfter } from './facts/dates.js'
import { drawEmployer } from './facts/firms.js'

const MEETINGS = [
  'الاجتماع الدوري',
  'اجتماع المراجعة الربعية',
  'اجتماع مناقشة العقد',
  'اجتماع انطلاق المشروع',
  'اجتماع الميزانية',
] as const
const REASONS = [
  'طرأ لي سفر عاجل',
  'سيزورنا المدققون في اليوم نفسه',
  'تغيّر موعد رحلة عودتي',
  'لدي موعد طبي لا يمكن تأجيله',
  'سيكون نصف الفريق في دورة تدريبية',
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
      // From 3 to 10, the counted noun stands in the plural.
      guests: `${random.integer(3, 8)} أشخاص`,
      firm: drawEmployer(random).name,
    }
  },
  subject: [
    (f) => `طلب تغيير موعد ${f.meeting} (${f.oldDay})`,
    (f) => `${f.meeting}: هل يناسبكم ${f.newDay}؟`,
    (f) => `اعتذار عن موعد ${f.oldDay} الساعة ${f.oldTime}`,
    (f) => `تأجيل ${f.meeting}، ${f.firm}`,
  ],
  opening: [
    (f) => [
      `للأسف لن أتمكن من حضور ${f.meeting} يوم ${f.oldDay} الساعة ${f.oldTime}. والسبب: ${f.reason}.`,
      `هل يناسبكم يوم ${f.newDay} الساعة ${f.newTime}؟`,
    ],
    (f) =>
      `هل يمكن نقل ${f.meeting} من يوم ${f.oldDay} الساعة ${f.oldTime} إلى يوم ${f.newDay} الساعة ${f.newTime}؟ المكان نفسه والحضور أنفسهم (${f.guests}).`,
    (f) => [
      `أعلم أن الاتفاق على الموعد استغرق منا أسابيع. لكن ${f.reason}، ولم يعد يوم ${f.oldDay} ممكنًا.`,
      `سألتُ الزملاء، ويناسبنا جميعًا يوم ${f.newDay}، ويُفضّل أن يكون الساعة ${f.newTime}. ما رأيكم؟`,
    ],
    (f) => [
      `أعتذر عن ضيق الوقت. بخصوص ${f.meeting} يوم ${f.oldDay}: ${f.reason}.`,
      `أقترح موعدًا بديلًا: يوم ${f.newDay} الساعة ${f.newTime}. في انتظار تأكيدكم.`,
    ],
  ],
  answer: [
    (f) => [
      `لا بأس. يوم ${f.newDay} الساعة ${f.newTime} متاح لدينا، وقد حجزنا ${f.meeting} فيه مبدئيًا.`,
      `هل ندعو الحضور أنفسهم (${f.guests})، وهل تكفي ساعة واحدة؟`,
    ],
    (f) => [
      `شكرًا لإبلاغنا مبكرًا. ألغينا موعد ${f.oldDay}، ونقترح تثبيت يوم ${f.newDay} الساعة ${f.newTime}.`,
      'قبل إرسال الدعوة الجديدة: هل تفضلون الحضور إلى المكتب أم الاجتماع عن بُعد؟',
    ],
    (f) =>
      `يناسبنا ذلك. سنحجز يوم ${f.newDay} ابتداءً من الساعة ${f.newTime}. هل تودون إضافة شيء إلى جدول أعمال ${f.meeting}؟`,
  ],
  reaction: [
    () => 'أفضّل أن يكون الاجتماع عن بُعد هذه المرة، ولمدة ساعة. الحضور أنفسهم، ولا إضافات على جدول الأعمال.',
    (f) => `الحضور أنفسهم. ولو كان الاجتماع عن بُعد لكان أفضل، فالساعة ${f.newTime} لا تترك لي وقتًا للتنقل.`,
    (f) =>
      `ممتاز. أرجو إضافة عشر دقائق لأسئلة الميزانية، وإبلاغ البقية بإلغاء موعد ${f.oldDay}. وأفضّل أن نجتمع عن بُعد.`,
  ],
  solution: [
    (f) => [
      `أُرسلت الدعوة إلى جميع الحضور (${f.guests}) ليوم ${f.newDay} الساعة ${f.newTime}، وأُلغي الموعد السابق.`,
      `سيكون الاجتماع عن بُعد، ورمز الدخول هو ${f.number}.`,
    ],
    (f) =>
      `تم التغيير: يوم ${f.newDay} الساعة ${f.newTime}، عن بُعد، برمز الدخول ${f.number}. ولم يعترض أحد حتى الآن.`,
    (f) => [
      `أبلغنا الجميع بالموعد الجديد وألغينا موعد ${f.oldDay}.`,
      `للدخول يكفي استخدام الرمز ${f.number}. نلتقي على خير.`,
    ],
  ],
  thanks: [
    (f) => `وصلت الدعوة، وسجّلتُ يوم ${f.newDay} في تقويمي. شكرًا لكم!`,
    () => 'قبلتُ الدعوة. شكرًا على تفهّمكم.',
    () => 'شكرًا لكم، وأعتذر مجددًا عن الإرباك. القهوة عليّ في المرة القادمة.',
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => 'من سيكتب محضر الاجتماع هذه المرة؟ كتبتُه أنا في المرتين السابقتين.',
        (f) => `هل هناك ما ينبغي تحضيره قبل ${f.meeting}؟`,
      ],
      answer: [
        () => 'سنتولى نحن كتابة المحضر. يكفي أن تحضروا معكم أرقام الربع السابق.',
        () => 'أرقام الربع السابق فقط، أما المحضر فسيتولاه أحد زملائنا.',
      ],
    },
    {
      question: [
        (f) => `الرمز ${f.number} لا يعمل عندي. هل هناك طريقة أخرى للدخول؟`,
        () => 'لم تصل الدعوة إلى أحد الزملاء. هل يمكنكم إعادة إرسالها إلى الجميع؟',
      ],
      answer: [
        (f) => `أعدنا إرسال الدعوة إلى الجميع. الرمز ما زال ${f.number}، ويُكتب بعده رمز المربع #.`,
        () => 'أُعيد إرسالها، وفيها رابط مباشر يُغني عن كتابة الرمز.',
      ],
    },
  ],
  titles: (f) => f.firm,
  attachment: (f, index) =>
    index === 0 || index === 3 ? { fixture: 'meeting.ics', filename: `meeting-${f.number}.ics` } : undefined,
})
