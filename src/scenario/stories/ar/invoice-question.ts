import { DAY, startOfDay } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { conversation } from './arabic.js'
import { plainFarewells, supportThanks } from './closing-words.js'
import { formatDay, workdayAfter } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { drawPurchase } from './facts/purchase.js'

// Each follows a word like `نرجو` and ends a clause.
const WISHES = [
  'كتابة الاسم التجاري للشركة عليها',
  'إظهار ضريبة القيمة المضافة في سطر مستقل',
  'تصحيح اسم الشركة فيها',
  'إضافة رقم أمر الشراء إليها',
] as const

/** Somebody needs an invoice made out in another way. */
export const invoiceQuestion = conversation({
  name: 'invoice-question',
  category: 'support',
  weight: 6,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    firm: drawEmployer(random).name,
    role: drawRole(random),
    wish: random.pick(WISHES),
    invoice: numberOfYear('INV', random, setting.begins),
    deadline: formatDay(workdayAfter(startOfDay(setting.begins) + random.integer(3, 8) * DAY)),
  }),
  subject: [
    (f) => `طلب تعديل الفاتورة ${f.invoice}`,
    (f) => `الفاتورة الضريبية للطلب ${f.order}`,
    (f) => `استفسار بخصوص الفاتورة ${f.invoice}`,
    (f) => `قسم المحاسبة: الفاتورة ${f.invoice} للطلب ${f.order}`,
  ],
  opening: [
    (f) => [
      `استلمنا الفاتورة رقم ${f.invoice} بمبلغ ${f.price} عن الطلب ${f.order} («${f.item}»).`,
      `نرجو ${f.wish} وإعادة إصدارها. اسم الشركة: ${f.firm}.`,
    ],
    (f) => [
      `لا يمكننا اعتماد الفاتورة ${f.invoice} (الطلب ${f.order}) في نظامنا المحاسبي بصورتها الحالية.`,
      `المطلوب ${f.wish}، ونحتاج إلى النسخة المعدّلة قبل يوم ${f.deadline}.`,
    ],
    (f) =>
      `الفاتورة ${f.invoice}، الطلب ${f.order}، المبلغ ${f.price}: نرجو ${f.wish} وإعادة إرسالها باسم ${f.firm}.`,
    (f) => [
      `حمّلتُ الفاتورة ${f.invoice} من حسابي في الموقع، لكن قسم المحاسبة لدينا لم يقبلها.`,
      `هل يمكنكم ${f.wish}؟ رقم الطلب ${f.order}، والشركة هي ${f.firm}.`,
    ],
  ],
  answer: [
    (f) => [
      `شكرًا لتواصلكم. يمكننا إعادة إصدار الفاتورة ${f.invoice} بكل سرور.`,
      `للتأكيد فقط: هل الاسم المطلوب هو «${f.firm}» والمبلغ ${f.price} شاملًا الضريبة؟`,
    ],
    (f) => [
      `نعتذر عن الإزعاج. سنعدّل الفاتورة الخاصة بالطلب ${f.order}.`,
      'هل تكفيكم نسخة إلكترونية بصيغة PDF، أم تحتاجون إلى نسخة ورقية مختومة؟',
    ],
    (f) =>
      `وصلنا طلبكم بخصوص ${f.invoice}. هل هناك بيانات أخرى ترغبون في تعديلها قبل أن نصدر الفاتورة الجديدة باسم «${f.firm}»؟`,
  ],
  reaction: [
    (f) => `الاسم «${f.firm}» والمبلغ ${f.price} صحيحان، ونسخة PDF تكفي.`,
    () => 'شكرًا. النسخة الإلكترونية كافية، ولا توجد تعديلات أخرى.',
    (f) => `لا تعديلات أخرى. يهمنا فقط أن تصلنا قبل يوم ${f.deadline}، فهو موعد إقفال الحسابات.`,
  ],
  solution: [
    (f) => [
      `أصدرنا الفاتورة المعدّلة للطلب ${f.order} باسم «${f.firm}»، وحلّت محل النسخة السابقة.`,
      `يمكنكم تحميلها من حسابكم ضمن «الفواتير»، ورقمها ما زال ${f.invoice}.`,
    ],
    (f) =>
      `تم التعديل. المبلغ ${f.price} والرقم ${f.invoice} كما هما، وقد أرسلنا النسخة الجديدة في رسالة منفصلة.`,
    (f) => [
      `الفاتورة ${f.invoice} جاهزة بصيغتها الجديدة، وفيها تفصيل الضريبة.`,
      `إذا احتجتم إلى نسخة مختومة فيمكننا إرسالها بالبريد قبل يوم ${f.deadline}.`,
    ],
  ],
  thanks: [
    (f) => `استلمتُ الفاتورة ${f.invoice}، واعتمدها قسم المحاسبة. شكرًا لكم.`,
    () => 'وصلت الفاتورة كما طلبناها تمامًا. شكرًا على سرعة التنفيذ.',
    ...supportThanks,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => 'هل يمكن اعتماد اسم الشركة تلقائيًا في الفواتير القادمة؟',
        (f) => `هل علينا مراسلتكم في كل مرة لتصدر الفواتير باسم «${f.firm}»؟`,
      ],
      answer: [
        () => 'نعم، يكفي إدخاله مرة واحدة في «بيانات الفوترة» في حسابكم.',
        (f) => `لا داعي لذلك، فقد حفظنا «${f.firm}» اسمًا افتراضيًا لفواتيركم.`,
      ],
    },
    {
      question: [
        () => 'هل يمكن الحصول على كشف بجميع فواتير العام الماضي؟',
        () => 'هل تصدرون فاتورة شهرية مجمّعة؟',
      ],
      answer: [
        () => 'نعم، يمكنكم تحميل فواتير آخر سنتين دفعة واحدة من حسابكم.',
        () => 'نعم، تتوفر الفاتورة الشهرية المجمّعة لحسابات الشركات، ويمكننا تفعيلها لكم.',
      ],
    },
  ],
  titles: (f) => `${f.role}، ${f.firm}`,
  attachment: (f, index) =>
    index === 0 ? { fixture: 'invoice.pdf', filename: `فاتورة_${f.invoice}.pdf` } : undefined,
})
