import { DAY, workdayAfter } from '../facts/calendar.js'
import { orderNumber, trackingNumber } from '../facts/order-number.js'
import { formatDay } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { drawCarrier, drawCity } from './facts/places.js'
import { announcement } from './japanese.js'

const HOURS = ['午前中', '14時〜16時', '16時〜18時', '18時〜20時', '19時〜21時'] as const

/** A shop tells the agent that a parcel is on its way. */
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
      city: drawCity(random),
      hours: random.pick(HOURS),
      due: formatDay(workdayAfter(setting.begins + random.integer(1, 4) * DAY)),
    }
  },
  from: (f) => ({ name: f.shop.name, address: `shipping@${f.shop.domain}` }),
  subject: [
    (f) => `【${f.shop.name}】商品を発送いたしました（${f.order}）`,
    (f) => `発送完了のお知らせ　注文番号：${f.order}`,
    (f) => `${f.due}お届け予定のお荷物について（${f.order}）`,
  ],
  first: [
    (f) => [
      { heading: '商品を発送いたしました' },
      `${f.company}様\n\nご注文番号${f.order}の商品を、本日${f.carrier}にて発送いたしました。`,
      {
        rows: [
          ['お届け予定日', `${f.due}　${f.hours}`],
          ['お届け先', `${f.city}のご登録住所`],
          ['追跡番号', f.tracking],
        ],
      },
      { link: `https://${f.shop.domain}/track/${f.tracking}`, label: '配送状況を確認する' },
      '追跡番号が反映されるまで、数時間かかる場合がございます。',
    ],
    (f) => [
      `いつもお世話になっております。${f.shop.name}です。`,
      `ご注文${f.order}の発送が完了しましたので、お知らせいたします。${f.carrier}が${f.due}の${f.hours}にお届けする予定です（追跡番号：${f.tracking}）。`,
      'ご不在の場合は、不在票に記載の連絡先へお申し付けください。',
      { small: `${f.shop.name}　https://${f.shop.domain}` },
    ],
    (f) => [
      { heading: `${f.due}にお届けします` },
      `${f.carrier}／追跡番号 ${f.tracking}\nご注文番号 ${f.order}`,
      `お届けの時間帯は${f.hours}です。変更をご希望の場合は、前日までにお手続きください。`,
      { link: `https://${f.shop.domain}/track/${f.tracking}`, label: '日時を変更する' },
      { small: 'このメールは送信専用です。ご返信いただいてもお答えできませんので、ご了承ください。' },
    ],
  ],
  next: [
    [
      (f) => [
        { heading: '本日お届け予定です' },
        `ご注文${f.order}の商品は、本日${f.hours}に${f.carrier}がお届けいたします（追跡番号：${f.tracking}）。`,
        { small: `${f.shop.name}　https://${f.shop.domain}` },
      ],
      (f) => [
        { heading: '配達が完了しました' },
        `追跡番号${f.tracking}のお荷物は、${f.city}のお届け先に配達されました。またのご利用をお待ちしております。`,
        { small: `${f.shop.name}　https://${f.shop.domain}` },
      ],
      (f) => [
        { heading: 'ご不在のため持ち戻りました' },
        `ご注文${f.order}のお荷物をお届けに伺いましたが、ご不在でした。${f.carrier}の営業所で7日間お預かりいたします。`,
        { link: `https://${f.shop.domain}/track/${f.tracking}`, label: '再配達を依頼する' },
      ],
    ],
  ],
})
