import { ticketNumber } from '../facts/order-number.js'
import { gendered } from '../letters/gendered.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './portuguese.js'

const DEFECTS = [
  'veio com uma peça quebrada',
  'está com um dos lados amassado',
  'tem manchas e sinais de uso',
  'veio com um rasgo e vários riscos',
  'está com a ponta lascada',
] as const

/** Something arrived broken. */
export const damagedItem = conversation({
  name: 'damaged-item',
  category: 'support',
  weight: 8,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    defect: random.pick(DEFECTS),
    ticket: ticketNumber(random),
  }),
  subject: [
    (f) => `Produto com defeito, pedido ${f.order}`,
    (f) => `Pedido ${f.order} chegou danificado`,
    (f) => `Troca ${f.ofItem} (${f.order})`,
    (f) => `Problema com o pedido ${f.order}`,
  ],
  opening: [
    (f) => [
      `Recebi na ${f.arrived}, ${f.anItem} (pedido ${f.order}), mas, quando abri a caixa, vi que o produto ${f.defect}.`,
      'A caixa por fora estava inteira. Gostaria de trocar por outro em bom estado.',
    ],
    (f) => [
      `Esperei tanto por esta compra e veio assim: o produto ${f.defect}. É ${f.anItem}, pedido ${f.order}.`,
      'Posso mandar fotos. Vocês trocam ou devolvem o dinheiro?',
    ],
    (f) => `Pedido ${f.order}, ${f.item}: ${f.defect}. Preciso da troca o quanto antes.`,
    (f) => [
      `Escrevo sobre ${f.theItem} que comprei em ${f.ordered}, pedido ${f.order}.`,
      `Só abri a embalagem hoje, e o produto ${f.defect}. Sei que já se passaram alguns dias; ainda dá para trocar?`,
    ],
  ],
  answer: [
    (f) => [
      `Pedimos desculpas, não era para ter chegado assim. Registrei o caso do pedido ${f.order} com o protocolo ${f.ticket}.`,
      'Você pode responder a esta mensagem com fotos do produto e da caixa?',
    ],
    (f) => [
      `Sentimos muito pelo ocorrido (pedido ${f.order}, protocolo ${f.ticket}).`,
      `Podemos trocar ${f.theItem} ou devolver os ${f.price}: o que prefere? Mande também ao menos uma foto, por favor.`,
    ],
    (f) =>
      `Que chato, lamentamos muito. O protocolo do pedido ${f.order} é ${f.ticket}. Para agilizar, envie uma foto em que se veja o problema e diga se prefere a troca ou o reembolso de ${f.price}.`,
  ],
  reaction: [
    (f) => `Segue a foto. Dá para ver bem que o produto ${f.defect}. Prefiro a troca.`,
    (f) => [
      `Sobre o protocolo ${f.ticket}: as fotos estão em anexo, e prefiro a troca.`,
      'Preciso devolver o produto danificado ou posso descartar?',
    ],
    () => 'Foto em anexo, como pediram. Prefiro a troca e, se der, ainda esta semana. A caixa eu guardei.',
  ],
  solution: [
    (f) => [
      `Vimos as fotos. O produto novo (${f.item}) sai hoje, conferido e com embalagem reforçada.`,
      'O danificado pode ser entregue ao motorista no momento da entrega.',
    ],
    (f) =>
      `Agradecemos as fotos. A troca já está separada e vai para o endereço ${f.street}, ${f.city} (protocolo ${f.ticket}). Não é preciso devolver o produto danificado.`,
    (f) => [
      `Pelo visto o dano foi no transporte, e a responsabilidade é nossa. A troca ${f.ofItem} chega amanhã ou depois.`,
      'Deixamos também um cupom de desconto na sua conta como pedido de desculpas.',
    ],
  ],
  thanks: [
    (f) => `Chegou o novo e está perfeito. Muito ${gendered(f, 'obrigada', 'obrigado')}!`,
    () => 'Troca recebida, e desta vez muito bem embalada. Valeu!',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        () => 'O produto danificado continua aqui. Alguém vem buscar?',
        (f) => `Posso jogar fora o produto danificado (protocolo ${f.ticket})?`,
      ],
      answer: [
        (f) => `Sim, vamos agendar a coleta pelo protocolo ${f.ticket}. Qual dia é melhor para você?`,
        () => 'Pode, sim. Se der, mande para a reciclagem.',
      ],
    },
    {
      question: [
        (f) => `Qual é a garantia ${f.ofItem}? Fiquei com medo de acontecer de novo.`,
        () => 'A garantia do produto novo conta a partir de agora ou da primeira compra?',
      ],
      answer: [
        () => 'São doze meses a partir do recebimento. A nota fiscal vale como garantia, então guarde bem.',
        () => 'A partir do recebimento do novo, por doze meses.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `foto_defeito_${f.order}.png` }
      : undefined,
})
