import { announcement } from './arabic.js'
import { latinNames } from './names.js'

const OFFERS = [
  {
    trade: 'تحسين الظهور في محركات البحث',
    promise: 'الظهور في الصفحة الأولى خلال ستة أسابيع',
    domain: 'awwal-bahth.example',
  },
  {
    trade: 'قواعد بيانات العملاء',
    promise: 'الوصول إلى 40,000 من أصحاب القرار',
    domain: 'qawaim-vip.example',
  },
  { trade: 'تمويل الشركات', promise: 'الحصول على التمويل خلال ثلاثة أيام', domain: 'tamweel-saree.example' },
  { trade: 'تصميم المواقع', promise: 'مضاعفة مبيعات موقعكم', domain: 'tasmeem-plus.example' },
  {
    trade: 'خدمات التعهيد',
    promise: 'خفض تكلفة خدمة العملاء بنسبة 60%',
    domain: 'taaheed-pro.example',
  },
] as const

const MINUTES = ['عشر دقائق', 'ربع ساعة', 'ثلث ساعة'] as const

/** Offers that nobody asked for. */
export const coldSpam = announcement({
  name: 'cold-spam',
  category: 'spam',
  weight: 3,
  colour: '#b00020',
  html: 0.5,
  htmlOnly: 0.2,
  facts: (random, setting) => {
    const { firstName, fullName } = setting.person(random)
    return { ...random.pick(OFFERS), firstName, fullName, minutes: random.pick(MINUTES) }
  },
  from: (f) => ({ name: f.fullName, address: `${latinNames[f.firstName] ?? 'info'}@${f.domain}` }),
  subject: [
    (f) => `سؤال سريع إلى ${f.company}`,
    (f) => `${f.trade} لشركة ${f.company}`,
    () => 'هل اطّلعتم على رسالتي؟',
    (f) => `عرض لفترة محدودة: ${f.promise}!`,
    () => 'رد: بخصوص حديثنا السابق',
  ],
  first: [
    (f) => [
      'السلام عليكم ورحمة الله،',
      `اطّلعتُ على موقع ${f.company} وأعجبني كثيرًا. لكن شركات كثيرة مثلكم تواجه مشكلة واحدة، وهي ${f.trade}.`,
      `نقدم إليكم الحل: ${f.promise}. هل لديكم ${f.minutes} يوم الخميس؟`,
      signature(f),
    ],
    (f) => [
      `السادة ${f.agentName} المحترمين،`,
      `أتمنى أن تصلكم رسالتي وأنتم بخير. اسمي ${f.firstName}، ومجال عملي ${f.trade}.`,
      `ماذا لو كان بإمكانكم ${f.promise}؟ بلا مخاطرة ولا عقود، والدفع بعد النتائج! يكفي الرد بكلمة «نعم».`,
      signature(f),
    ],
    (f) => [
      'تحية طيبة،',
      `بصراحة: منافسوكم يعتمدون علينا في ${f.trade}. والنتيجة: ${f.promise}.`,
      { link: `https://${f.domain}/mawid`, label: 'احجزوا موعدًا مجانيًا' },
      signature(f),
    ],
    (f) => [
      'مرحبًا،',
      `لست أدري إن كان هذا بريد المسؤول عن ${f.trade} في ${f.company}. إن لم يكن كذلك فأرجو تحويل رسالتي إليه.`,
      `باختصار: ${f.promise}، ونحتاج منكم إلى ${f.minutes} فقط.`,
      signature(f),
    ],
  ],
  next: [
    [
      (f) => [
        'مرحبًا مجددًا،',
        `أعيد إرسال رسالتي حتى لا تضيع بين رسائلكم. ${f.minutes} فقط، هذا كل ما أطلبه.`,
        signature(f),
      ],
      (f) => [
        'السلام عليكم،',
        `لم يصلني رد منكم. هل حققتم فعلًا هدف ${f.promise}، أم أن الوقت لم يسمح بعد؟`,
        signature(f),
      ],
      (f) => [
        'تحية طيبة،',
        `هذه رسالتي الأخيرة، أعدكم. إن لم يكن موضوع ${f.trade} مطروحًا لدى ${f.company} الآن، فهل أكتب إليكم بعد ثلاثة أشهر؟`,
        signature(f),
      ],
    ],
  ],
})

interface Pitch {
  readonly fullName: string
  readonly trade: string
  readonly domain: string
}

function signature({ fullName, trade, domain }: Pitch): string {
  return `${fullName}\n${trade}\nhttps://${domain}`
}
