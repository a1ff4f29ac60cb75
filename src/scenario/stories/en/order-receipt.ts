import type { Random } from '../../../world/random.js'
import { fourDigits, orderNumber } from '../facts/order-number.js'
import { announcement } from './english.js'
import { formatDate } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { type Currency, drawCurrency, formatMoney } from './facts/money.js'

const GOODS = [
  ['Copy paper, box of five', 2790],
  ['Coffee beans, 1 kg', 2150],
  ['Label rolls, 12 pieces', 3480],
  ['Printer ink, black', 4190],
  ['Packing tape, 6 rolls', 1420],
  ['Desk fan', 3995],
  ['Extension lead, 5 m', 1890],
  ['Green tea, 100 bags', 1275],
  ['Whiteboard pens, set of 8', 1160],
  ['Padded envelopes, 50 pieces', 1740],
] as const
const DELIVERY = 490

type Good = (typeof GOODS)[number]

/** Draws two lines of a bill and their sum. */
function drawBill(random: Random, currency: Currency) {
  const first = random.integer(0, GOODS.length - 1)
  const second = (first + random.integer(1, GOODS.length - 1)) % GOODS.length
  const [firstName, firstCents] = GOODS[first] as Good
  const [secondName, secondCents] = GOODS[second] as Good
  const firstCount = random.integer(1, 4)
  const secondCount = random.integer(1, 3)
  const sum = firstCents * firstCount + secondCents * secondCount + DELIVERY
  return {
    lines: [
      [`${firstCount} x ${firstName}`, formatMoney(firstCents * firstCount, currency)],
      [`${secondCount} x ${secondName}`, formatMoney(secondCents * secondCount, currency)],
      ['Delivery', formatMoney(DELIVERY, currency)],
      ['Total', formatMoney(sum, currency)],
    ] as const,
    total: formatMoney(sum, currency),
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
      ...drawBill(random, drawCurrency(random)),
    }
  },
  from: (f) => ({ name: `${f.shop.name} Orders`, address: `orders@${f.shop.domain}` }),
  subject: [
    (f) => `Your receipt for order ${f.order}`,
    (f) => `Order ${f.order} confirmed`,
    (f) => `${f.shop.name}: thank you for your order (${f.order})`,
    (f) => `Receipt ${f.order}, ${f.total}`,
  ],
  first: [
    (f) => [
      { heading: `Thank you, ${f.company}` },
      `We have received your order ${f.order} of ${f.date} and your payment of ${f.total}.`,
      { rows: f.lines },
      `Paid by card ending in ${f.card}. We will write again when the parcel leaves us.`,
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `Receipt for order ${f.order}` },
      {
        rows: [
          ['Date', f.date],
          ['Customer', f.company],
          ['Card', `ending in ${f.card}`],
        ],
      },
      { rows: f.lines },
      { link: `https://${f.shop.domain}/orders/${f.order}`, label: 'See your order' },
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: 'Your order is in good hands' },
      `Order ${f.order} is being picked as you read this. Here is what we have noted:`,
      { rows: f.lines },
      'Please keep this message, it is your proof of purchase.',
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `Paid: ${f.total}` },
      `This is the receipt for what ${f.agentName} ordered on ${f.date}, number ${f.order}.`,
      { rows: f.lines },
      footer(f.shop.name, f.shop.domain),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'Your receipt, once more' },
        `You asked for a copy of the receipt for order ${f.order}. Here it is.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
      (f) => [
        { heading: 'A change to your order' },
        `One item of order ${f.order} will follow in a few days, in a parcel of its own. You pay nothing extra; the total stays ${f.total}.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
    [
      (f) => [
        { heading: 'How did we do?' },
        `Your order ${f.order} should be with you by now. If anything is missing, reply within thirty days and we will make it right.`,
        { link: `https://${f.shop.domain}/orders/${f.order}/feedback`, label: 'Tell us in two clicks' },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
  ],
  attachment: (f) => ({ fixture: 'receipt.pdf', filename: `receipt-${f.order}.pdf` }),
})

function footer(shop: string, domain: string) {
  return { small: `${shop} - questions about an order: help@${domain}` }
}
