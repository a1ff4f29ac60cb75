import { DAY } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { conversation } from './arabic.js'
import { plainFarewells } from './closing-words.js'
import { drawCountry, formatMoney, inDigits, priceIn } from './facts/countries.js'
import { formatDay, workdayAfter } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { drawProduct } from './facts/products.js'

const OCCASIONS = [
  'تجهيز مكتبنا الجديد',
  'هدايا الموظفين في العيد',
  'تجديد غرف الضيوف',
  'جناحنا في المعرض السنوي',
  'افتتاح فرعنا الجديد',
] as const

const DISCOUNTS = [5, 8, 10, 12] as const

/** A firm asks for a price for many. */
export const bulkQuote = conversation({
  name: 'bulk-quote',
  category: 'sales',
  weight: 6,
  facts: (random, setting) => {
    const { item, riyals } = drawProduct(random, setting.company)
    const country = drawCountry(random)
    // From 11 to 99, the counted noun stays in the singular.
    const quantity = random.integer(3, 19) * 5
    const percent = random.pick(DISCOUNTS)
    const unit = Math.round((priceIn(riyals, country) * (100 - percent)) / 100)
    const { name: firm } = drawEmployer(random)
    return {
      item,
      firm,
      pieces: inDigits(`${quantity} قطعة`, country),
      percent: inDigits(`${percent}%`, country),
      unit: formatMoney(unit, country),
      total: formatMoney(unit * quantity, country),
      quote: numberOfYear('Q', random, setting.begins),
      occasion: random.pick(OCCASIONS),
      city: random.pick(country.cities),
      role: drawRole(random),
      needed: inDigits(formatDay(workdayAfter(setting.begins + random.integer(18, 40) * DAY)), country),
    }
  },
  subject: [
    (f) => `طلب عرض سعر: ${f.item}، ${f.pieces}`,
    (f) => `عرض سعر لكمية (${f.pieces})`,
    (f) => `${f.firm}: طلب تسعير`,
    (f) => `استفسار عن خصم الكميات على «${f.item}»`,
  ],
  opening: [
    (f) => [
      `نحتاج إلى ${f.pieces} من المنتج «${f.item}» من أجل ${f.occasion}. ما أفضل سعر يمكنكم تقديمه؟`,
      `التسليم في ${f.city}، في موعد أقصاه يوم ${f.needed}.`,
    ],
    (f) =>
      `نرجو تزويدنا بعرض سعر لكمية قدرها ${f.pieces} من «${f.item}» شاملًا التوصيل إلى ${f.city} قبل يوم ${f.needed}. ونفضّل الدفع بعد الاستلام.`,
    (f) => [
      `أعمل في ${f.firm}، ونبحث عن منتج مثل «${f.item}» من أجل ${f.occasion}.`,
      `الكمية المطلوبة ${f.pieces}. هل لديكم خصم على الكميات، وهل يناسبكم التسليم قبل يوم ${f.needed}؟`,
    ],
    (f) => [
      'اطّلعنا على موقعكم، ونود مقارنة عرضكم بعروض أخرى وصلتنا.',
      `المطلوب: ${f.pieces} من «${f.item}»، والتسليم يوم ${f.needed} على الأكثر. ويهمنا الالتزام بالموعد أكثر من السعر.`,
    ],
  ],
  answer: [
    (f) => [
      `شكرًا لاهتمامكم. يسعدنا أن نقدم إليكم العرض رقم ${f.quote} بخصم ${f.percent}، أي ${f.unit} للقطعة.`,
      `إجمالي ${f.pieces} هو ${f.total} شاملًا الضريبة والتوصيل إلى ${f.city}. والموعد الذي ذكرتموه (${f.needed}) مناسب لنا.`,
    ],
    (f) => [
      `نشكركم على طلبكم. سعر القطعة الواحدة ${f.unit} بعد خصم ${f.percent}، والإجمالي ${f.total} (العرض ${f.quote}).`,
      'العرض سارٍ لمدة ثلاثين يومًا، والدفع بعد الاستلام.',
    ],
    (f) =>
      `العرض ${f.quote}: ${f.pieces} من «${f.item}»، سعر القطعة ${f.unit}، والإجمالي ${f.total}. التوصيل إلى ${f.city} مجاني، والكمية متوفرة في المستودع.`,
  ],
  reaction: [
    (f) => `العرض مناسب، ونود اعتماد ${f.quote}. ما الخطوة التالية؟`,
    (f) => [
      `وافقت الإدارة على مبلغ ${f.total}.`,
      'هل يمكن تقسيم التسليم على دفعتين، نصفها الآن ونصفها بعد أسبوعين؟',
    ],
    (f) => `شكرًا على سرعة الرد. هل يبقى سعر ${f.unit} ساريًا إذا احتجنا إلى كمية إضافية لاحقًا؟`,
  ],
  solution: [
    (f) => [
      `سُجِّل طلبكم بموجب العرض ${f.quote}، ونشكركم على ثقتكم. يمكن التسليم دفعة واحدة أو على دفعتين، كما تفضلون.`,
      `سنسلّم ${f.pieces} في ${f.city} قبل يوم ${f.needed}، وتصلكم الفاتورة بعد التسليم باسم ${f.firm}.`,
    ],
    (f) =>
      `نعم، التسليم على دفعتين ممكن، وسعر ${f.unit} يسري على أي كمية إضافية حتى نهاية العام. يكفي الرد على هذه الرسالة بالموافقة على العرض ${f.quote}.`,
    (f) => [
      `حجزنا لكم ${f.pieces} من المنتج، والسعر مضمون لأي كمية إضافية أيضًا.`,
      `سنتابع التنفيذ بموجب العرض ${f.quote} (${f.total})، ونخبركم قبل التسليم بيوم.`,
    ],
  ],
  thanks: [
    (f) => `نوافق على العرض ${f.quote}، وفي انتظار التسليم.`,
    () => 'شكرًا لكم، كان التعامل معكم سهلًا وسريعًا.',
    (f) => `ممتاز، يوم ${f.needed} يناسبنا. شكرًا على المرونة.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) => `نحتاج إلى عشر قطع إضافية. هل تسري عليها شروط العرض ${f.quote}؟`,
        (f) => `اتضح أن ${f.pieces} لا تكفي. متى يمكنكم توفير المزيد؟`,
      ],
      answer: [
        (f) => `نعم، بسعر ${f.unit} نفسه. أرسلوا إلينا الكمية النهائية وسنجهزها.`,
        () => 'الكمية الإضافية تصلكم خلال خمسة أيام عمل من تأكيدها.',
      ],
    },
    {
      question: [
        () => 'المبنى بلا مصعد، ونحن في الطابق الثاني. هل يشمل التوصيل الحمل إلى الأعلى؟',
        () => 'هل يمكن أن يكون التسليم قبل الظهر؟',
      ],
      answer: [
        () => 'نعم، سيحضر عاملان لنقلها إلى الطابق الثاني دون رسوم إضافية.',
        () => 'بالتأكيد، رتّبنا التسليم بين التاسعة والثانية عشرة، وسيتصل بكم السائق قبل نصف ساعة.',
      ],
    },
  ],
  titles: (f) => `${f.role}، ${f.firm}`,
  attachment: (_, index) =>
    index === 0 ? { fixture: 'orders.csv', filename: 'قائمة_المشتريات.csv' } : undefined,
})
