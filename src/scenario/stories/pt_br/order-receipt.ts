import type { Random } from '../../../world/random.js'
import { fourDigits, orderNumber } from '../facts/order-number.js'
import { formatDate } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { formatReais } from './facts/money.js'
import { announcement } from './portuguese.js'

const GOODS = [
  ['Papel sulfite A4, caixa', 27_900],
  ['Café em grãos, 1 kg', 8_990],
  ['Etiquetas adesivas, 12 rolos', 7_480],
  ['Tinta para impressora, preta', 9_990],
  ['Fita adesiva, 6 rolos', 3_450],
  ['Ventilador de mesa', 17_900],
  ['Extensão elétrica, 5 m', 4_990],
  ['Chá-mate, 100 saquinhos', 2_275],
  ['Pincel para quadro branco, 8 cores', 4_160],
  ['Envelopes com bolha, 50 un.', 5_740],
] as const
const DELIVERY = 1_990

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
      [`${firstCount} x ${firstName}`, formatReais(firstCents * firstCount)],
      [`${secondCount} x ${secondName}`, formatReais(secondCents * secondCount)],
      ['Frete', formatReais(DELIVERY)],
      ['Total', formatReais(sum)],
    ] as const,
    total: formatReais(sum),
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
      paid: random.chance(0.5) ? 'Pix' : `cartão com final ${fourDigits(random)}`,
      ...drawBill(random),
    }
  },
  from: (f) => ({ name: f.shop.name, address: `pedidos@${f.shop.domain}` }),
  subject: [
    (f) => `Pedido ${f.order} confirmado`,
    (f) => `Recibo do pedido ${f.order}`,
    (f) => `${f.shop.name}: pagamento aprovado (${f.order})`,
    (f) => `Recebemos o seu pedido ${f.order}, ${f.total}`,
  ],
  first: [
    (f) => [
      { heading: 'Pagamento aprovado!' },
      `Olá, ${f.company}! Recebemos o pedido ${f.order}, de ${f.date}, e o pagamento de ${f.total}.`,
      { rows: f.lines },
      `Forma de pagamento: ${f.paid}. Avisaremos quando o pacote sair.`,
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `Recibo do pedido ${f.order}` },
      {
        rows: [
          ['Data', f.date],
          ['Cliente', f.company],
          ['Pagamento', f.paid],
        ],
      },
      { rows: f.lines },
      { link: `https://${f.shop.domain}/pedidos/${f.order}`, label: 'Ver o pedido' },
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: 'Seu pedido está sendo separado' },
      `Já estamos cuidando do pedido ${f.order}. Confira o que anotamos:`,
      { rows: f.lines },
      'Guarde esta mensagem, ela é o seu comprovante. A nota fiscal segue com a mercadoria.',
      footer(f.shop.name, f.shop.domain),
    ],
    (f) => [
      { heading: `Pago: ${f.total}` },
      `Este é o recibo da compra feita por ${f.agentName} em ${f.date}, pedido ${f.order}.`,
      { rows: f.lines },
      footer(f.shop.name, f.shop.domain),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'Segunda via do recibo' },
        `Conforme solicitado, segue a segunda via do recibo do pedido ${f.order}.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
      (f) => [
        { heading: 'Uma mudança no seu pedido' },
        `Um item do pedido ${f.order} vai em um pacote separado, daqui a alguns dias, sem custo extra. O total continua ${f.total}.`,
        { rows: f.lines },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
    [
      (f) => [
        { heading: 'E aí, gostou?' },
        `O pedido ${f.order} já deve ter chegado. Se faltou alguma coisa, responda em até 30 dias que a gente resolve.`,
        { link: `https://${f.shop.domain}/pedidos/${f.order}/avaliar`, label: 'Avaliar em dois cliques' },
        footer(f.shop.name, f.shop.domain),
      ],
    ],
  ],
  attachment: (f) => ({ fixture: 'receipt.pdf', filename: `recibo_${f.order}.pdf` }),
})

function footer(shop: string, domain: string) {
  return { small: `${shop} - dúvidas sobre pedidos: ajuda@${domain}` }
}
