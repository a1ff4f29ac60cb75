import { type DeliveryFailure, deliveryReport, drawFailure } from '../facts/delivery-failure.js'
import { announcement } from './arabic.js'
import { drawEmployer } from './facts/firms.js'

const MEANINGS: Readonly<Record<string, string>> = {
  '5.1.1': 'عنوان المستلم غير موجود',
  '5.2.2': 'صندوق بريد المستلم ممتلئ',
  '5.3.4': 'حجم الرسالة أكبر مما يقبله خادم المستلم',
  '5.4.4': 'تعذّر العثور على نطاق المستلم',
  '5.7.1': 'رفض خادم المستلم الرسالة',
}
const MAILBOXES = ['accounts', 'procurement', 'info', 'orders', 'k.haddad', 'm.saleh', 'hr'] as const

/** A mail server tells the agent that something it sent did not get through. */
export const bounce = announcement({
  name: 'bounce',
  category: 'bounces',
  weight: 2,
  colour: '#000000',
  html: 0,
  htmlOnly: 0,
  facts: (random, setting) => drawFailure(random, setting, drawEmployer(random).domain, MAILBOXES),
  from: (f) => ({ name: 'Mail Delivery System', address: `MAILER-DAEMON@${f.relay}` }),
  subject: [
    () => 'تعذّر تسليم الرسالة',
    (f) => `إشعار بفشل التسليم: ${f.recipient}`,
    () => 'Undelivered Mail Returned to Sender',
    () => 'لم تُسلَّم رسالتكم إلى المستلم',
  ],
  first: [
    (f) => [
      `هذه رسالة آلية من خادم البريد ${f.relay}.`,
      'تعذّر تسليم رسالتكم إلى أحد المستلمين، ولن تُعاد المحاولة.',
      `<${f.recipient}>\n${meaning(f)}. ردّ الخادم ${f.server}:\n${f.reply} ${f.says}`,
      deliveryReport(f),
    ],
    (f) => [
      `لم تُسلَّم رسالتكم إلى ${f.recipient}.`,
      `رفضها الخادم ${f.server} رفضًا نهائيًا:\n    ${f.reply} <${f.recipient}>: ${f.says}`,
      'يُرجى التحقق من العنوان أو التواصل مع المستلم بطريقة أخرى.',
      deliveryReport(f),
    ],
    (f) => [
      'فشل التسليم إلى المستلمين التالين:',
      `    ${f.recipient}\n    السبب: ${meaning(f)} (${f.status})`,
      `وقت الاستلام: ${f.at}`,
      deliveryReport(f),
    ],
    (f) => [
      `This is the mail system at ${f.relay}.\nأُنشئت هذه الرسالة آليًا، ويُرجى عدم الرد عليها.`,
      `خطأ دائم عند التسليم إلى <${f.recipient}>: ${meaning(f)}.`,
      `----- سجل الجلسة -----\n<<< ${f.reply} ${f.says}`,
      deliveryReport(f),
    ],
  ],
  next: [
    [
      (f) => [
        `هذه رسالة آلية من خادم البريد ${f.relay}.`,
        `تعذّر كذلك تسليم رسالة أخرى من ${f.agentAddress} إلى <${f.recipient}> للسبب نفسه: ${meaning(f)}.\n${f.reply} ${f.says}`,
      ],
      (f) => [
        `لم تُسلَّم رسالتكم الثانية إلى ${f.recipient}.`,
        `ردّ الخادم ${f.server}:\n${f.reply} ${f.says}`,
        'ننصح بحذف هذا العنوان من قائمتكم.',
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'error-log.txt', filename: `transcript-${f.queue}.txt` } : undefined,
})

/** What the status says, in words. */
function meaning({ status }: DeliveryFailure): string {
  return MEANINGS[status] ?? 'حدث خطأ في خادم المستلم'
}
