import { trackingNumber } from '../facts/order-number.js'
import { gendered } from '../letters/gendered.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { drawCarrier } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './portuguese.js'

const CAUSES = [
  'um erro na triagem',
  'uma etiqueta que não pôde ser lida',
  'um acúmulo de encomendas depois do feriado',
  'um caminhão que quebrou na estrada',
  'um temporal na região',
] as const

const DAYS = ['dois', 'três', 'quatro'] as const

/** A parcel that did not come on the promised day. */
export const lateDelivery = conversation({
  name: 'late-delivery',
  category: 'support',
  weight: 10,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    carrier: drawCarrier(random),
    cause: random.pick(CAUSES),
    tracking: trackingNumber(random),
    days: random.pick(DAYS),
  }),
  subject: [
    (f) => `Pedido ${f.order} não chegou`,
    (f) => `Atraso na entrega, pedido ${f.order}`,
    (f) => `Cadê meu pedido? (${f.order})`,
    (f) => `${f.order}: prazo venceu e nada`,
    (f) => `Ainda esperando ${f.theItem} (pedido ${f.order})`,
  ],
  opening: [
    (f) => [
      `Meu pedido ${f.order} deveria ter chegado na ${f.arrived}, e até agora nada.`,
      `É ${f.anItem}, com entrega na ${f.street}, ${f.city}. Vocês conseguem verificar onde está?`,
    ],
    (f) => [
      `Paguei ${f.price} por ${f.anItem} com entrega prometida para ${f.arrived}.`,
      `O rastreio do pedido ${f.order} está parado em "em trânsito" desde então. O que aconteceu?`,
    ],
    (f) => [
      `Desculpem o incômodo, sei que a época é corrida. Em ${f.ordered} comprei ${f.anItem}, pedido ${f.order}, e a confirmação dizia que chegaria na ${f.arrived}.`,
      'Fiquei em casa o dia inteiro, ninguém tocou a campainha e o porteiro também não recebeu nada. É só esperar?',
    ],
    (f) => [
      `É a segunda entrega de vocês que atrasa. Pedido ${f.order}, ${f.item}, prometido para ${f.arrived} e não entregue.`,
      'Quero uma data de verdade ou o meu dinheiro de volta. Se não resolver, vou ao Procon.',
    ],
    (f) =>
      `Pedido ${f.order}, previsão ${f.arrived}, não entregue. Favor verificar com a ${f.carrier} e me dar um retorno.`,
    (f) => [
      `Comprei ${f.anItem} em ${f.ordered} para dar de presente, e o aniversário já está chegando.`,
      `Era para ter sido entregue na ${f.arrived} (pedido ${f.order}). Será que ainda chega esta semana?`,
    ],
  ],
  answer: [
    (f) => [
      `Sentimos muito pela demora. Falei com a ${f.carrier} sobre o pedido ${f.order}: por causa de ${f.cause}, a encomenda ficou parada na unidade de ${f.city}.`,
      `A previsão agora é de ${f.days} dias úteis. O código de rastreio é ${f.tracking}.`,
    ],
    (f) => [
      `Agradecemos o contato. O pedido ${f.order} saiu daqui no prazo, mas a ${f.carrier} perdeu alguns dias com ${f.cause}.`,
      `Ele voltou a andar com o código ${f.tracking} e deve chegar em ${f.days} dias úteis. Se não chegar, me avise que enviamos outro.`,
    ],
    (f) => [
      `Não é assim que deveria funcionar, e pedimos desculpas. A ${f.carrier} informou que ${f.cause} atrasou o pedido ${f.order} (rastreio ${f.tracking}).`,
      `Pedimos prioridade. O novo prazo é de ${f.days} dias úteis.`,
    ],
  ],
  reaction: [
    (f) =>
      `${thanks(f)} pela resposta, mas os ${f.days} dias úteis já passaram e não chegou nada. O rastreio ${f.tracking} continua igual.`,
    (f) => [
      `Liguei para a ${f.carrier} por conta própria e disseram que eu tenho que falar com quem enviou.`,
      'Vocês podem simplesmente mandar outro, por favor?',
    ],
    () => 'Nada ainda. Tive paciência, mas estou precisando do produto. O que dá para fazer daí?',
    (f) =>
      `Acabei de olhar e o rastreio ${f.tracking} mostra "destinatário ausente", sendo que tinha gente em casa o dia todo. Vai voltar para vocês?`,
  ],
  solution: [
    (f) => [
      `Já esperou demais. Enviei hoje outro produto igual (${f.item}) para o endereço ${f.street}, ${f.city}, por entrega expressa e sem custo.`,
      'Se a primeira encomenda aparecer, basta recusar o recebimento.',
    ],
    (f) => [
      `Também desisti da primeira encomenda. O reenvio do pedido ${f.order} sai do nosso estoque hoje à tarde e chega em dois dias úteis.`,
      'Além disso, estornamos o valor do frete pelo transtorno.',
    ],
    (f) =>
      `Sentimos muito que tenha chegado a este ponto. O reenvio (${f.item}) sai hoje por outra transportadora, e você vai receber uma mensagem com o horário da entrega.`,
  ],
  thanks: [
    (f) => `Chegou! ${thanks(f)}, veio tudo direitinho hoje de manhã.`,
    (f) => `Entregue há uma hora. Demorou, mas ${thanks(f).toLowerCase()} por não largarem o caso.`,
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `Vocês não vão acreditar: a primeira encomenda (${f.tracking}) apareceu hoje na portaria. O que eu faço?`,
        (f) => `Agora tenho dois. A ${f.carrier} entregou o antigo também. Como devolvo?`,
      ],
      answer: [
        (f) =>
          `Agradecemos a honestidade. É só entregar a caixa fechada a qualquer motorista da ${f.carrier}; já deixamos autorizado com o código ${f.tracking}.`,
        () =>
          'Vamos mandar uma etiqueta de postagem paga. Sem pressa, qualquer dia nas próximas duas semanas serve.',
      ],
    },
    {
      question: [
        (f) =>
          `Posso receber o próximo pedido em um ponto de retirada? Não queria depender da ${f.carrier} de novo.`,
        () => 'Para as próximas compras, dá para escolher a transportadora?',
      ],
      answer: [
        (f) =>
          `Deixei no seu cadastro a preferência por retirada em ${f.city}. Você pode mudar a cada pedido.`,
        () =>
          'Dá, sim: abaixo do endereço há a opção "Entrega", com pontos de retirada e outras duas transportadoras.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `rastreio_${f.order}.png` }
      : undefined,
})

function thanks(facts: Parameters<typeof gendered>[0]): string {
  return gendered(facts, 'Obrigada', 'Obrigado')
}
