import type { Random } from '../../../world/random.js'
import { fourDigits, orderNumber } from '../facts/order-number.js'
import { formatDate } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { formatYen } from './facts/money.js'
import { announcement } from './japanese.js'

const GOODS = [
  ['コピー用紙A4（5冊入り）', 2_980],
  ['コーヒー豆 1kg', 3_240],
  ['ラベルシール（12巻）', 4_180],
  ['プリンターインク ブラック', 4_950],
  ['OPPテープ（6巻）', 1_580],
  ['卓上扇風機', 3_980],
  ['延長コード 5m', 1_890],
  ['煎茶ティーバッグ（100包）', 1_620],
  ['ホワイトボードマーカー（8色）', 1_280],
  ['クッション封筒（50枚）', 2_160],
] as const
const DELIVERY = 550

type Good = (typeof GOODS)[number]

/** Draws two lines of a bill and their sum. */
function drawBill(random: Random) {
  const first = random.integer(0, GOODS.length - 1)
  const second = (first + random.integer(1, GOODS.length - 1)) % GOODS.length
  const [firstName, firstYen] = GOODS[first] as Good
  const [secondName, secondYen] = GOODS[second] as Good
  const firstCount = random.integer(1, 4)
  const secondCount = random.integer(1, 3)
  const sum = firstYen * firstCount + secondYen * secondCount + DELIVERY
  return {
    lines: [
      [`${firstName} × ${firstCount}`, formatYen(firstYen * firstCount)],
      [`${secondName} × ${secondCount}`, formatYen(secondYen * secondCount)],
      ['送料', formatYen(DELIVERY)],
      ['合計（税込）', formatYen(sum)],
      ['うち消費税（10％）', formatYen(Math.floor(sum / 11))],
    ] as const,
    total: formatYen(sum),
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
    return {
      shop,
      order: orderNumber(random, shop.name),
      date: formatDate(setting.begins),
      card: fourDigits(random),
      ...drawBill(random),
    }
  },
  from: (f) => ({ name: f.shop.name, address: `order@${f.shop.domain}` }),
  subject: [
    (f) => `【${f.shop.name}】ご注文ありがとうございます（注文番号：${f.order}）`,
    (f) => `ご注文内容の確認（${f.order}）`,
    (f) => `【自動送信】ご注文を受け付けました　${f.order}`,
    (f) => `領収書のお知らせ　${f.order}　${f.total}`,
  ],
  first: [
    (f) => [
      { heading: 'ご注文ありがとうございます' },
      `${f.company}様\n\nこの度は${f.shop.name}をご利用いただき、誠にありがとうございます。${f.date}のご注文（注文番号：${f.order}）とお支払い${f.total}を確認いたしました。`,
      { rows: f.lines },
      `お支払い方法：クレジットカード（下4桁 ${f.card}）\n発送が完了しましたら、改めてご連絡いたします。`,
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `ご注文内容（${f.order}）` },
      {
        rows: [
          ['ご注文日', f.date],
          ['お客様名', `${f.company} 様`],
          ['お支払い', `クレジットカード（下4桁 ${f.card}）`],
        ],
      },
      { rows: f.lines },
      { link: `https://${f.shop.domain}/orders/${f.order}`, label: '注文履歴を見る' },
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: 'ご注文を承りました' },
      `注文番号${f.order}の商品をただいま準備しております。内容に誤りがないか、ご確認をお願いいたします。`,
      { rows: f.lines },
      'このメールはご注文の控えとなりますので、大切に保管してください。',
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `お支払い金額 ${f.total}` },
      `${f.agentName}様が${f.date}にご注文された商品（注文番号：${f.order}）の明細です。`,
      { rows: f.lines },
      footer(f.shop.name, f.shop.domain),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: '領収書の再送' },
        `ご依頼いただきました、注文番号${f.order}の領収書をお送りいたします。`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
      (f) => [
        { heading: '一部商品の発送遅れについて' },
        `注文番号${f.order}のうち一点の入荷が遅れており、数日後に別便でお届けいたします。追加の送料はかからず、合計${f.total}に変更はございません。`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
    [
      (f) => [
        { heading: 'ご感想をお聞かせください' },
        `注文番号${f.order}の商品は、無事に届きましたでしょうか。不足などがございましたら、30日以内にご連絡ください。`,
        { link: `https://${f.shop.domain}/orders/${f.order}/feedback`, label: 'レビューを書く' },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
  ],
  attachment: (f) => ({ fixture: 'receipt.pdf', filename: `領収書_${f.order}.pdf` }),
})

function footer(shop: string, domain: string) {
  return { small: `${shop}　https://${domain}\nご注文に関するお問い合わせ： help@${domain}` }
}
