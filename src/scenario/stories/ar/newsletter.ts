import { DAY } from '../facts/calendar.js'
import { announcement } from './arabic.js'
import { formatDay, formatMonth } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { easternDigits } from './facts/numerals.js'

const THEMES = [
  { title: 'عشر دقائق لترتيب مكتبك', teaser: 'خطوات بسيطة جرّبناها بأنفسنا قبل أن نكتب عنها.' },
  { title: 'حكاية القهوة من البذرة إلى الفنجان', teaser: 'رحلة قصيرة مع ثلاثة من محبي التحميص.' },
  { title: 'أشياء صغيرة تُغني عن الكثير', teaser: 'أربعة أسئلة قبل إضافة أي منتج إلى السلة.' },
  { title: 'ورش صغيرة وأيام طويلة', teaser: 'زرنا من يُصلحون ما يرميه الآخرون.' },
  { title: 'ماذا يضع قراؤنا على مكاتبهم؟', teaser: 'وصلتنا مئتا صورة، وهذه تسع منها اختلفنا عليها.' },
] as const
const OFFERS = [
  'توصيل مجاني حتى نهاية الشهر',
  'دفتر هدية مع كل طلب',
  'خصم ١٠٪ على القطعة الثانية',
  'أمسية تخفيضات للمشتركين فقط',
] as const

/** A shop's letter to its readers, with digits as Arabic print has them. */
export const newsletter = announcement({
  name: 'newsletter',
  category: 'newsletters',
  weight: 4,
  colour: '#2f5d50',
  html: 1,
  htmlOnly: 0.12,
  facts: (random, setting) => {
    const issue = random.integer(12, 190)
    return {
      ...random.pick(THEMES),
      offer: random.pick(OFFERS),
      shop: drawShop(random),
      issue,
      number: easternDigits(`${issue}`),
      month: formatMonth(setting.begins),
      evening: easternDigits(formatDay(setting.begins + random.integer(6, 20) * DAY)),
      reader: random.integer(100_000, 999_999),
    }
  },
  from: (f) => ({ name: f.shop.name, address: `nashra@${f.shop.domain}` }),
  subject: [
    (f) => `${f.title} | نشرة ${f.shop.name}، العدد ${f.number}`,
    (f) => `جديد ${f.month}: ${f.title}`,
    (f) => `العدد ${f.number}: ${f.offer}`,
    (f) => `رسالة ${f.month} من ${f.shop.name}`,
  ],
  first: [
    (f) => [
      { heading: f.title },
      `أهلًا بكم في العدد ${f.number} من نشرتنا. ${f.teaser}`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'اقرؤوا القصة كاملة' },
      { heading: 'جديدنا هذا الشهر' },
      `هديتنا إلى القراء في ${f.month}: ${f.offer}. لا حاجة إلى رمز، يكفي الدخول بهذا البريد.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `تحية من ${f.shop.name}` },
      `كان ${f.month} شهرًا حافلًا. ${f.teaser} هذا وغيره في العدد ${f.number}، ومعه ${f.offer}.`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: `«${f.title}»` },
      `يوم ${f.evening} نفتح أبوابنا حتى منتصف الليل، والشاي علينا.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `${f.shop.name}، ${f.month}` },
      {
        rows: [
          ['العدد', f.number],
          ['موضوع العدد', f.title],
          ['للمشتركين', f.offer],
        ],
      },
      f.teaser,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'افتحوا النشرة' },
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: 'ثلاث دقائق من القراءة' },
      `١. ${f.title}. ${f.teaser}`,
      `٢. من أرشيف ${f.shop.name}: أكثر ما قرأتموه في العام الماضي.`,
      `٣. عرض ${f.month}: ${f.offer}. التفاصيل في العدد ${f.number}.`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'ابدؤوا بالأول' },
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'تصويب' },
        `كان أحد روابط العدد ${f.number} يقود إلى صفحة خاطئة. هذا هو الرابط الصحيح، مع اعتذارنا.`,
        { link: `https://${f.shop.domain}/letters/${f.issue}`, label: f.title },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'ربما فاتكم هذا' },
        `كتبنا إليكم قبل أيام عن «${f.title}». وما زال العرض قائمًا: ${f.offer}.`,
        { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'نظرة أخرى' },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'ردودكم' },
        `وصلتنا بعد العدد ${f.number} رسائل كثيرة، ونشرنا أجملها في الموقع بالأسماء الأولى فقط.`,
        { link: `https://${f.shop.domain}/letters/${f.issue}/replies`, label: 'اقرؤوا ما كتبه الآخرون' },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'logo.png', filename: `header-${f.issue}.png` } : undefined,
})

function unsubscribe(shop: string, domain: string, reader: number) {
  return {
    small: `تصلكم هذه النشرة لأنكم اشتركتم في نشرة ${shop}.\nلإلغاء الاشتراك: https://${domain}/leave?reader=${reader}`,
  }
}
