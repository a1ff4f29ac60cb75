import { DAY, workdayAfter } from '../facts/calendar.js'
import { orderNumber, trackingNumber } from '../facts/order-number.js'
import { formatDay } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { drawCarrier } from './facts/places.js'
import { announcement } from './portuguese.js'

const HOURS = ['8h e 12h', '9h e 18h', '13h e 18h'] as const

/** What a shop sends the agent while a parcel is on its way. */
export const shippingNotice = announcement({
  name: 'shipping-notice',
  category: 'receipts',
  weight: 4,
  colour: '#205072',
  html: 0.9,
  htmlOnly: 0.2,
  facts: (random, setting) => {
    const shop = drawShop(random)
    return {
      shop,
      order: orderNumber(random, shop.name),
      carrier: drawCarrier(random),
      tracking: trackingNumber(random),
      hours: random.pick(HOURS),
      due: formatDay(workdayAfter(setting.begins + random.integer(1, 5) * DAY)),
    }
  },
  from: (f) => ({ name: f.shop.name, address: `envios@${f.shop.domain}` }),
  subject: [
    (f) => `Seu pedido ${f.order} está a caminho`,
    (f) => `Pedido ${f.order} enviado`,
    (f) => `${f.shop.name}: entrega prevista para ${f.due} (${f.order})`,
    (f) => `Código de rastreio do pedido ${f.order}`,
  ],
  first: [
    (f) => [
      { heading: 'Saiu para você' },
      `O pedido ${f.order} deixou o nosso estoque hoje e deve chegar até ${f.due}.`,
      {
        rows: [
          ['Transportadora', f.carrier],
          ['Código de rastreio', f.tracking],
          ['Destinatário', f.company],
        ],
      },
      { link: trackingLink(f.shop.domain, f.tracking), label: 'Rastrear o pacote' },
    ],
    (f) => [
      { heading: `Pedido ${f.order}` },
      `Entregamos o seu pacote à ${f.carrier}. Anote o código: ${f.tracking}.`,
      `A previsão é ${f.due}, entre ${f.hours}. É preciso ter alguém para receber.`,
      { link: trackingLink(f.shop.domain, f.tracking), label: 'Mudar o dia da entrega' },
      { small: 'Mensagem automática, não é necessário responder.' },
    ],
    (f) => [
      `Olá, ${f.agentName}!`,
      `Boas notícias: o pedido ${f.order} foi enviado pela ${f.carrier} com o código ${f.tracking} e chega até ${f.due}, entre ${f.hours}.`,
      { small: `${f.shop.name} - https://${f.shop.domain}` },
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'É hoje!' },
        `O pacote ${f.tracking} saiu para entrega e chega hoje, entre ${f.hours} (pedido ${f.order}).`,
        { small: `${f.shop.name} - https://${f.shop.domain}` },
      ],
      (f) => [
        { heading: 'Entregue' },
        `O pedido ${f.order} (rastreio ${f.tracking}) foi entregue. Esperamos que goste!`,
        { small: `${f.shop.name} - https://${f.shop.domain}` },
      ],
      (f) => [
        { heading: 'Não encontramos ninguém' },
        `A ${f.carrier} tentou entregar o pedido ${f.order} e não havia quem recebesse. O pacote fica sete dias na agência.`,
        { link: trackingLink(f.shop.domain, f.tracking), label: 'Agendar nova tentativa' },
      ],
    ],
  ],
})

function trackingLink(domain: string, tracking: string): string {
  return `https://${domain}/rastreio/${tracking}`
}
