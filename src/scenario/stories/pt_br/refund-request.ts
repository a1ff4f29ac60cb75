import { gendered } from '../letters/gendered.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { drawCarrier } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './portuguese.js'

const REASONS = [
  'é bem menor do que parece nas fotos',
  'a cor não tem nada a ver com a do site',
  'minha irmã já tinha comprado igual para nós',
  'não combinou com o que eu já tinha',
  'parece mais frágil do que eu esperava por esse preço',
  'vi que não vou precisar mais',
] as const

const DAYS = ['três', 'quatro', 'cinco'] as const

/** A customer sends something back and wants the money. */
export const refundRequest = conversation({
  name: 'refund-request',
  category: 'support',
  weight: 9,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    reason: random.pick(REASONS),
    carrier: drawCarrier(random),
    returnNumber: `R-${random.integer(10_000, 99_999)}`,
    days: random.pick(DAYS),
  }),
  subject: [
    (f) => `Devolução e reembolso, pedido ${f.order}`,
    (f) => `Quero devolver ${f.theItem} (${f.order})`,
    (f) => `Arrependimento da compra ${f.order}`,
    (f) => `Estorno do pedido ${f.order}`,
  ],
  opening: [
    (f) => [
      `Gostaria de devolver ${f.theItem} do pedido ${f.order}, que chegou na ${f.arrived}. O motivo: ${f.reason}.`,
      `O produto está sem uso e na caixa. Como faço para receber os ${f.price} de volta?`,
    ],
    (f) => `Solicito o reembolso do pedido ${f.order} (${f.item}, ${f.price}). Motivo: ${f.reason}.`,
    (f) => [
      `Antes de tudo, a entrega foi rápida e a embalagem, caprichada. Mas infelizmente não vou ficar com o produto: ${f.reason}.`,
      `Vocês aceitam de volta? É ${f.anItem}, pedido ${f.order}. Guardei a embalagem toda, o gato só dormiu nela uma vez.`,
    ],
    (f) => [
      'Procurei no site como devolver um produto e não achei.',
      `Pedido ${f.order}, entregue na ${f.arrived}. Não quero ficar com ${f.theItem} porque ${f.reason}. Como procedo?`,
    ],
    (f) => [
      `Estou dentro do prazo de sete dias e quero devolver ${f.theItem}: ${f.reason}.`,
      `Quero o valor integral (${f.price}) de volta, e não um vale-compra. Pedido ${f.order}.`,
    ],
  ],
  answer: [
    (f) => [
      `Sem problema, você está no prazo. Abri a devolução ${f.returnNumber} para o pedido ${f.order}.`,
      `Escreva esse número na caixa e entregue em qualquer agência da ${f.carrier}; o frete é por nossa conta. Assim que o produto chegar, devolvemos os ${f.price}.`,
    ],
    (f) => [
      `Que pena que não deu certo. O número da devolução do pedido ${f.order} é ${f.returnNumber}.`,
      `A ${f.carrier} pode retirar na ${f.street}, ou você leva a uma agência, como preferir. Nos dois casos é grátis.`,
    ],
    (f) =>
      `Claro, aceitamos o pedido ${f.order} de volta. Embale o produto como ele chegou, escreva ${f.returnNumber} do lado de fora e leve a um balcão da ${f.carrier}. Devolvemos o valor integral (${f.price}) no dia em que chegar aqui.`,
  ],
  reaction: [
    (f) => `Deixei ontem na agência da ${f.carrier} em ${f.city}. Quando o dinheiro cai?`,
    (f) => [
      `Mandei a caixa na semana passada com ${f.returnNumber} escrito e guardei o comprovante.`,
      'Até agora o estorno não apareceu na fatura. Conseguem verificar?',
    ],
    (f) =>
      `Já está a caminho, com ${f.returnNumber} escrito em dois lados por garantia. O reembolso vai para o cartão em que paguei?`,
  ],
  solution: [
    (f) => [
      `O produto chegou e está tudo certo. Acabei de liberar o reembolso de ${f.price}.`,
      `Ele vai para o cartão usado na compra e costuma aparecer em ${f.days} dias úteis.`,
    ],
    (f) =>
      `Boa notícia: a devolução ${f.returnNumber} foi conferida hoje cedo, e os ${f.price} já estão a caminho do seu cartão. O banco pode levar até ${f.days} dias úteis.`,
    (f) => [
      `O produto voltou em perfeito estado; agradecemos o cuidado com a embalagem.`,
      `Estornamos ${f.price}. A operadora do cartão tem ${f.days} dias úteis para lançar o crédito.`,
    ],
  ],
  thanks: [
    (f) => `Os ${f.price} caíram hoje. Muito ${gendered(f, 'obrigada', 'obrigado')}, foi bem tranquilo.`,
    (f) => `O estorno já apareceu no cartão. ${gendered(f, 'Obrigada', 'Obrigado')}!`,
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `Para o meu controle, vocês podem me mandar por escrito que o pedido ${f.order} foi reembolsado?`,
        (f) => `Apareceu na fatura um crédito de ${f.price} sem identificação. É de vocês?`,
      ],
      answer: [
        (f) =>
          `Claro: o pedido ${f.order} foi reembolsado integralmente (${f.price}) pela devolução ${f.returnNumber}. O comprovante está na sua conta, em "Meus pedidos".`,
        (f) =>
          `É nosso, sim: os ${f.price} são do pedido ${f.order}, devolução ${f.returnNumber}. Guarde esta mensagem como comprovante.`,
      ],
    },
    {
      question: [
        (f) => `Dito isso, vocês indicam alguma coisa parecida para eu comprar no lugar ${f.ofItem}?`,
        () => 'Se eu comprar outra coisa, o prazo de sete dias conta de novo?',
      ],
      answer: [
        () => 'No fim da página do produto há duas sugestões, que são as mais escolhidas como alternativa.',
        () => 'Conta, sim. Cada pedido tem o seu próprio prazo, a partir do dia do recebimento.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'receipt.pdf', filename: `comprovante_${f.order}.pdf` }
      : undefined,
})
