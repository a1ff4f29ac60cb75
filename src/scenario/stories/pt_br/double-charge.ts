import { ticketNumber } from '../facts/order-number.js'
import { gendered } from '../letters/gendered.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './portuguese.js'

const WAYS = [
  { way: 'no Pix', place: 'no extrato', back: 'por Pix, para a mesma conta' },
  { way: 'no cartão de crédito', place: 'na fatura', back: 'como crédito na fatura do cartão' },
  { way: 'no cartão de débito', place: 'no extrato', back: 'para a conta ligada ao cartão' },
] as const

const DAYS = ['um dia útil', 'dois dias úteis', 'três dias úteis'] as const

/** Somebody paid once and was charged twice. */
export const doubleCharge = conversation({
  name: 'double-charge',
  category: 'support',
  weight: 6,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    ...random.pick(WAYS),
    ticket: ticketNumber(random),
    days: random.pick(DAYS),
  }),
  subject: [
    (f) => `Cobrança em dobro, pedido ${f.order}`,
    (f) => `Pedido ${f.order} cobrado duas vezes`,
    (f) => `Cobrança duplicada de ${f.price} (${f.order})`,
    (f) => `Erro na cobrança do pedido ${f.order}`,
  ],
  opening: [
    (f) => [
      `Em ${f.ordered} comprei ${f.anItem} com vocês, pedido ${f.order}, e paguei ${f.price} ${f.way}.`,
      `Olhando hoje, vi que o valor aparece duas vezes ${f.place}. Podem estornar uma das cobranças?`,
    ],
    (f) => `Pedido ${f.order}: ${f.price} cobrados duas vezes ${f.way}. Favor devolver a cobrança duplicada.`,
    (f) => [
      `Acho que houve um erro no pagamento do pedido ${f.order}. O site travou na hora de finalizar, tentei de novo e agora constam duas cobranças de ${f.price} ${f.place}.`,
      'Comprei só um produto. Como a gente resolve?',
    ],
    (f) => [
      `Fui conferir minhas contas e descobri que vocês cobraram duas vezes: dois lançamentos de ${f.price} ${f.place}, no mesmo minuto.`,
      `O pedido é o ${f.order}, pago ${f.way}. Preciso desse dinheiro de volta.`,
    ],
  ],
  answer: [
    (f) => [
      `Pedimos desculpas pelo susto. Abri o protocolo ${f.ticket} para verificar as duas cobranças do pedido ${f.order}.`,
      `Você pode mandar um comprovante em que apareçam os dois lançamentos de ${f.price}?`,
    ],
    (f) => [
      `Agradecemos o aviso. Do nosso lado consta apenas um pagamento do pedido ${f.order}, então preciso comparar com o que aparece ${f.place}.`,
      `Envie, por favor, uma captura de tela com data e hora. O protocolo é ${f.ticket}.`,
    ],
    (f) =>
      `Lamentamos o transtorno. Já estou verificando com o financeiro (protocolo ${f.ticket}). Um comprovante dos dois lançamentos de ${f.price} ajuda a resolver mais rápido.`,
  ],
  reaction: [
    (f) =>
      `Segue o comprovante com os dois lançamentos de ${f.price}. O segundo veio menos de um minuto depois.`,
    (f) => `Em anexo. Cobri os outros dados, mas dá para ver as duas cobranças ${f.place}.`,
    (f) => [
      `Segue a captura de tela, protocolo ${f.ticket}.`,
      'Demora muito? A segunda cobrança me deixou no vermelho.',
    ],
  ],
  solution: [
    (f) => [
      `Confirmado: o sistema registrou o pagamento do pedido ${f.order} duas vezes. Estornamos ${f.price}.`,
      `O valor volta ${f.back}, em até ${f.days}.`,
    ],
    (f) =>
      `Você tem razão, foi uma falha nossa. A devolução de ${f.price} já foi feita (protocolo ${f.ticket}) e vai ${f.back}, em até ${f.days}.`,
    (f) => [
      `Encontramos o erro: o pagamento foi enviado duas vezes quando o site travou. A segunda cobrança, de ${f.price}, foi cancelada.`,
      `O dinheiro volta ${f.back}, em até ${f.days}. O pedido ${f.order} continua normal.`,
    ],
  ],
  thanks: [
    (f) => `Os ${f.price} já voltaram. ${gendered(f, 'Obrigada', 'Obrigado')} pela rapidez!`,
    () => 'Estorno recebido, tudo certo. Valeu!',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) => `Vocês podem me mandar um comprovante do estorno do pedido ${f.order}? O banco pediu.`,
        () => 'Isso pode acontecer de novo na próxima compra? Fiquei com receio.',
      ],
      answer: [
        (f) => `Claro, o comprovante vai em uma mensagem separada, com o protocolo ${f.ticket} no assunto.`,
        () =>
          'O erro que causou a cobrança dupla foi corrigido. Se o site travar, confira "Meus pedidos" antes de tentar de novo.',
      ],
    },
    {
      question: [
        () => 'O limite do meu cartão já voltou ao normal ou isso depende do banco?',
        (f) => `Tive que pagar juros por causa da segunda cobrança de ${f.price}. Vocês cobrem?`,
      ],
      answer: [
        () => 'Depende do banco, mas costuma ser liberado junto com o estorno.',
        () => 'Cobrimos, sim. Mande o extrato em que os juros aparecem e devolvemos o valor.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `comprovante_${f.order}.png` }
      : undefined,
})
