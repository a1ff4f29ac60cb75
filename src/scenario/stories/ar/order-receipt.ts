import type { Random } from '../../../world/random.js'
import { fourDigits, orderNumber } from '../facts/order-number.js'
import { announcement } from './arabic.js'
import { type Country, drawCountry, formatMoney, inDigits, priceIn } from './facts/countries.js'
import { formatDate } from './facts/dates.js'
import { drawShop } from './facts/firms.js'

const GOODS = [
  ['ورق تصوير A4 (كرتون)', 89],
  ['قهوة مختصة، 1 كغ', 95],
  ['لفائف ملصقات (12 لفة)', 120],
  ['حبر طابعة أسود', 139],
  ['شريط تغليف (6 لفات)', 45],
  ['مروحة مكتب', 115],
  ['وصلة كهرباء، 5 أمتار', 55],
  ['شاي أخضر (100 كيس)', 38],
  ['أقلام سبورة (8 ألوان)', 32],
  ['ظروف مبطنة (50 ظرفًا)', 58],
] as const
const DELIVERY = 20

type Good = (typeof GOODS)[number]

/** Draws two lines of a bill and their sum. */
function drawBill(random: Random, country: Country) {
  const first = random.integer(0, GOODS.length - 1)
  const second = (first + random.integer(1, GOODS.length - 1)) % GOODS.length
  const [firstName, firstRiyals] = GOODS[first] as Good
  const [secondName, secondRiyals] = GOODS[second] as Good
  const firstCount = random.integer(1, 4)
  const secondCount = random.integer(1, 3)
  const sum = firstRiyals * firstCount + secondRiyals * secondCount + DELIVERY
  const money = (riyals: number): string => formatMoney(priceIn(riyals, country), country)
  return {
    lines: [
      [inDigits(`${firstName} × ${firstCount}`, country), money(firstRiyals * firstCount)],
      [inDigits(`${secondName} × ${secondCount}`, country), money(secondRiyals * secondCount)],
      ['التوصيل', money(DELIVERY)],
      ['الإجمالي شاملًا الضريبة', money(sum)],
    ] as const,
    total: money(sum),
  }
}

/** What a shop sends the agent after it has bought something. */
export const orderReceipt = announcement({
  name: 'order-receipt',
  category: 'receipts',
  weight: 4,
  colour: '#7a3e1d',
  html: 1,
  htmlOnly: 0,
  facts: (random, setting) => {
    const shop = drawShop(random)
    const country = drawCountry(random)
    return {
      shop,
      order: orderNumber(random, shop.name),
      date: inDigits(formatDate(setting.begins), country),
      card: inDigits(fourDigits(random), country),
      ...drawBill(random, country),
    }
  },
  from: (f) => ({ name: f.shop.name, address: `orders@${f.shop.domain}` }),
  subject: [
    (f) => `إيصال طلبكم رقم ${f.order}`,
    (f) => `تأكيد الطلب ${f.order}`,
    (f) => `${f.shop.name}: شكرًا لطلبكم (${f.order})`,
    (f) => `الإيصال ${f.order}، ${f.total}`,
  ],
  first: [
    (f) => [
      { heading: `شكرًا لكم، ${f.company}` },
      `استلمنا طلبكم رقم ${f.order} بتاريخ ${f.date} ودفعتكم البالغة ${f.total}.`,
      { rows: f.lines },
      `الدفع بالبطاقة المنتهية بالأرقام ${f.card}. وسنكتب إليكم مجددًا عند خروج الطرد من مستودعنا.`,
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `إيصال الطلب ${f.order}` },
      {
        rows: [
          ['التاريخ', f.date],
          ['العميل', f.company],
          ['البطاقة', `تنتهي بالأرقام ${f.card}`],
        ],
      },
      { rows: f.lines },
      { link: `https://${f.shop.domain}/orders/${f.order}`, label: 'عرض الطلب' },
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: 'طلبكم في أيدٍ أمينة' },
      `نجهّز الآن الطلب رقم ${f.order}، وفيما يلي ما سجّلناه:`,
      { rows: f.lines },
      'يُرجى الاحتفاظ بهذه الرسالة، فهي إثبات الشراء.',
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `تم الدفع: ${f.total}` },
      `هذا إيصال ما طلبه ${f.agentName} بتاريخ ${f.date}، رقم الطلب ${f.order}.`,
      { rows: f.lines },
      footer(f.shop.name, f.shop.domain),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'نسخة من الإيصال' },
        `بناءً على طلبكم، نرفق نسخة من إيصال الطلب ${f.order}.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
      (f) => [
        { heading: 'تعديل على طلبكم' },
        `سيصلكم أحد منتجات الطلب ${f.order} بعد أيام في طرد مستقل، دون أي رسوم إضافية. ويبقى الإجمالي ${f.total}.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
    [
      (f) => [
        { heading: 'ما رأيكم في خدمتنا؟' },
        `يُفترض أن يكون الطلب ${f.order} قد وصلكم. إن نقص منه شيء فأخبرونا خلال ثلاثين يومًا وسنعالج الأمر.`,
        { link: `https://${f.shop.domain}/orders/${f.order}/feedback`, label: 'قيّموا الطلب' },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
  ],
  attachment: (f) => ({ fixture: 'receipt.pdf', filename: `receipt_${f.order}.pdf` }),
})

function footer(shop: string, domain: string) {
  return { small: `${shop}\nللاستفسار عن الطلبات: help@${domain}` }
}
