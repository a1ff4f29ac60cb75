import { DAY } from '../facts/calendar.js'
import { orderNumber, trackingNumber } from '../facts/order-number.js'
import { announcement } from './arabic.js'
import { formatDay, workdayAfter } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { drawCarrier } from './facts/places.js'

const HOURS = ['التاسعة صباحًا والثانية عشرة ظهرًا', 'الواحدة والخامسة عصرًا', 'الخامسة والتاسعة مساءً'] as const

/** What a shop sends the agent while a parcel is on its way. */
export const shippingNotice = announcement({
  name: 'shipping-notice',
  category: 'receipts',
  weight: 4,
  colour: '#205072',
  html: 0.8,
  htmlOnly: 0.1,
  facts: (random, setting) => {
    const shop = drawShop(random)
    return {
      shop,
      order: orderNumber(random, shop.name),
      carrier: drawCarrier(random),
      tracking: trackingNumber(random),
      hours: random.pick(HOURS),
      due: formatDay(workdayAfter(setting.begins + random.integer(1, 4) * DAY)),
    }
  },
  from: (f) => ({ name: f.shop.name, address: `shipping@${f.shop.domain}` }),
  subject: [
    (f) => `طلبكم ${f.order} في الطريق إليكم`,
    (f) => `${f.shop.name}: شُحن الطلب ${f.order}`,
    (f) => `شحنة من ${f.shop.name} (${f.order})، موعدها ${f.due}`,
  ],
  first: [
    (f) => [
      { heading: 'طلبكم في الطريق' },
      `غادر الطلب ${f.order} مستودعنا اليوم، ومن المتوقع أن يصلكم يوم ${f.due}.`,
      {
        rows: [
          ['شركة الشحن', f.carrier],
          ['رقم التتبع', f.tracking],
          ['العميل', f.company],
        ],
      },
      { link: trackingLink(f.shop.domain, f.tracking), label: 'تتبّع الشحنة' },
    ],
    (f) => [
      { heading: `الطلب ${f.order}` },
      `سلّمنا طردكم إلى ${f.carrier}. رقم التتبع ${f.tracking}.`,
      `موعد التسليم يوم ${f.due} بين ${f.hours}. يُرجى وجود من يستلم.`,
      { link: trackingLink(f.shop.domain, f.tracking), label: 'تغيير الموعد' },
      { small: 'هذه رسالة آلية، ولا يُتابَع الرد عليها.' },
    ],
    (f) => [
      `السادة ${f.company}،`,
      `يسعدنا إبلاغكم بأن الطلب ${f.order} قد شُحن مع ${f.carrier} بالرقم ${f.tracking}، وسيصلكم يوم ${f.due} بين ${f.hours} بإذن الله.`,
      { small: `${f.shop.name}\nhttps://${f.shop.domain}` },
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'التسليم اليوم' },
        `الشحنة ${f.tracking} مع المندوب الآن، وستصلكم اليوم بين ${f.hours} (الطلب ${f.order}).`,
        { small: `${f.shop.name}\nhttps://${f.shop.domain}` },
      ],
      (f) => [
        { heading: 'تم التسليم' },
        `سُلِّم الطلب ${f.order} (رقم التتبع ${f.tracking}). نتمنى أن ينال رضاكم.`,
        { small: `${f.shop.name}\nhttps://${f.shop.domain}` },
      ],
      (f) => [
        { heading: 'تعذّر التسليم' },
        `حاول مندوب ${f.carrier} تسليم الطلب ${f.order} ولم يجد من يستلمه. سيُحفظ الطرد في الفرع سبعة أيام.`,
        { link: trackingLink(f.shop.domain, f.tracking), label: 'تحديد موعد جديد' },
      ],
    ],
  ],
})

function trackingLink(domain: string, tracking: string): string {
  return `https://${domain}/track/${tracking}`
}
