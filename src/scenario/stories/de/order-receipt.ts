import type { Random } from '../../../world/random.js'
import { fourDigits, orderNumber } from '../facts/order-number.js'
import { formatDate } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { formatMoney } from './facts/money.js'
import { announcement } from './german.js'

const GOODS = [
  ['Kopierpapier, Karton mit 5 Paketen', 2790],
  ['Kaffeebohnen, 1 kg', 2150],
  ['Etikettenrollen, 12 Stück', 3480],
  ['Druckertinte, schwarz', 4190],
  ['Packband, 6 Rollen', 1420],
  ['Tischventilator', 3995],
  ['Verlängerungskabel, 5 m', 1890],
  ['Grüner Tee, 100 Beutel', 1275],
  ['Whiteboardstifte, 8 Farben', 1160],
  ['Luftpolstertaschen, 50 Stück', 1740],
] as const
const DELIVERY = 490

type Good = (typeof GOODS)[number]

/** Draws two lines of a bill and their sum. */
function drawBill(random: Random) {
  const first = random.integer(0, GOODS.length - 1)
  const second = (first + random.integer(1, GOODS.length - 1)) % GOODS.length
  const [firstName, firstCents] = GOODS[first] as Good
  const [secondName, secondCents] = GOODS[second] as Good
  const firstCount = random.integer(1, 4)
  const secondCount = random.integer(1, 3)
  const sum = firstCents * firstCount + secondCents * secondCount + DELIVERY
  return {
    lines: [
      [`${firstCount} × ${firstName}`, formatMoney(firstCents * firstCount)],
      [`${secondCount} × ${secondName}`, formatMoney(secondCents * secondCount)],
      ['Versand', formatMoney(DELIVERY)],
      ['Gesamtbetrag', formatMoney(sum)],
    ] as const,
    total: formatMoney(sum),
    tax: formatMoney(Math.round((sum * 19) / 119)),
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
  from: (f) => ({ name: `${f.shop.name} Bestellungen`, address: `bestellung@${f.shop.domain}` }),
  subject: [
    (f) => `Ihre Bestellung ${f.order} bei ${f.shop.name}`,
    (f) => `Bestellbestätigung ${f.order}`,
    (f) => `Vielen Dank für Ihre Bestellung (${f.order})`,
    (f) => `Rechnung ${f.order}: ${f.total}`,
  ],
  first: [
    (f) => [
      { heading: 'Vielen Dank für Ihre Bestellung' },
      `Guten Tag, wir haben Ihre Bestellung ${f.order} vom ${f.date} und Ihre Zahlung über ${f.total} erhalten.`,
      { rows: f.lines },
      `Bezahlt mit der Karte, die auf ${f.card} endet. Im Betrag sind ${f.tax} Mehrwertsteuer enthalten.`,
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `Rechnung zu Bestellung ${f.order}` },
      {
        rows: [
          ['Datum', f.date],
          ['Kunde', f.company],
          ['Karte', `endet auf ${f.card}`],
        ],
      },
      { rows: f.lines },
      { link: `https://${f.shop.domain}/bestellungen/${f.order}`, label: 'Bestellung ansehen' },
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: 'Ihre Bestellung ist in guten Händen' },
      `Während Sie dies lesen, wird ${f.order} schon gepackt. Das haben wir notiert:`,
      { rows: f.lines },
      'Bitte heben Sie diese Nachricht auf, sie ist Ihr Kaufbeleg.',
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `Bezahlt: ${f.total}` },
      `Dies ist der Beleg für die Bestellung ${f.order} vom ${f.date} über das Konto ${f.agentAddress}.`,
      { rows: f.lines },
      footer(f.shop.name, f.shop.domain),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'Ihr Beleg, noch einmal' },
        `Sie haben um eine Kopie des Belegs zu ${f.order} gebeten. Hier ist sie.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
      (f) => [
        { heading: 'Eine Änderung an Ihrer Bestellung' },
        `Ein Artikel aus ${f.order} kommt einige Tage später in einem eigenen Paket. Mehrkosten entstehen nicht, es bleibt bei ${f.total}.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
      (f) => [
        { heading: 'Unterwegs' },
        `Bestellung ${f.order} hat unser Lager verlassen und ist in zwei bis drei Werktagen bei Ihnen.`,
        { link: `https://${f.shop.domain}/bestellungen/${f.order}`, label: 'Sendung verfolgen' },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
  ],
  attachment: (f) => ({ fixture: 'receipt.pdf', filename: `Beleg-${f.order}.pdf` }),
})

function footer(shop: string, domain: string) {
  return { small: `${shop} – Fragen zur Bestellung: hilfe@${domain}` }
}
