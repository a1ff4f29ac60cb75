import type { Random } from '../../../world/random.js'
import { fourDigits, orderNumber } from '../facts/order-number.js'
import { formatDate } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { formatMoney } from './facts/money.js'
import { announcement } from './french.js'

const GOODS = [
  ['Papier copie, carton de 5 ramettes', 2790],
  ['Café en grains, 1 kg', 2150],
  ["Rouleaux d'étiquettes, lot de 12", 3480],
  ["Cartouche d'encre noire", 4190],
  ['Ruban adhésif, 6 rouleaux', 1420],
  ['Ventilateur de table', 3995],
  ['Rallonge électrique, 5 m', 1890],
  ['Thé vert, 100 sachets', 1275],
  ['Feutres pour tableau, 8 couleurs', 1160],
  ['Enveloppes à bulles, lot de 50', 1740],
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
      ['Livraison', formatMoney(DELIVERY)],
      ['Total TTC', formatMoney(sum)],
    ] as const,
    total: formatMoney(sum),
    tax: formatMoney(Math.round((sum * 20) / 120)),
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
  from: (f) => ({ name: `${f.shop.name} - Commandes`, address: `commandes@${f.shop.domain}` }),
  subject: [
    (f) => `Votre commande ${f.order} chez ${f.shop.name}`,
    (f) => `Confirmation de commande ${f.order}`,
    (f) => `Merci pour votre commande (${f.order})`,
    (f) => `Facture ${f.order} : ${f.total}`,
  ],
  first: [
    (f) => [
      { heading: 'Merci pour votre commande' },
      `Bonjour, nous avons bien reçu votre commande ${f.order} du ${f.date} et votre paiement de ${f.total}.`,
      { rows: f.lines },
      `Réglée avec la carte se terminant par ${f.card}. Ce montant comprend ${f.tax} de TVA.`,
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `Facture de la commande ${f.order}` },
      {
        rows: [
          ['Date', f.date],
          ['Client', f.company],
          ['Carte', `se terminant par ${f.card}`],
        ],
      },
      { rows: f.lines },
      { link: `https://${f.shop.domain}/commandes/${f.order}`, label: 'Voir la commande' },
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: 'Votre commande est entre de bonnes mains' },
      `Pendant que vous lisez ces lignes, nous préparons la commande ${f.order}. Voici ce que nous avons noté :`,
      { rows: f.lines },
      "Conservez ce message, il vaut preuve d'achat.",
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `Payé : ${f.total}` },
      `Voici le reçu de la commande ${f.order}, passée le ${f.date} depuis le compte ${f.agentAddress}.`,
      { rows: f.lines },
      footer(f.shop.name, f.shop.domain),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'Votre reçu, une nouvelle fois' },
        `Vous avez demandé une copie du reçu de la commande ${f.order}. La voici.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
      (f) => [
        { heading: 'Un changement dans votre commande' },
        `Un article de la commande ${f.order} suivra dans quelques jours, dans un colis à part. Vous ne payez rien de plus : le total reste de ${f.total}.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
      (f) => [
        { heading: 'En route' },
        `La commande ${f.order} a quitté notre entrepôt et sera chez vous dans deux à trois jours ouvrés.`,
        { link: `https://${f.shop.domain}/commandes/${f.order}`, label: 'Suivre le colis' },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
  ],
  attachment: (f) => ({ fixture: 'receipt.pdf', filename: `recu-${f.order}.pdf` }),
})

function footer(shop: string, domain: string) {
  return { small: `${shop} - une question sur votre commande ? aide@${domain}` }
}
