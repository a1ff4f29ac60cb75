import { DAY, workdayAfter } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { gendered } from '../letters/gendered.js'
import { plainFarewells } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawDepartment, drawEmployer } from './facts/firms.js'
import { formatReais } from './facts/money.js'
import { drawCity } from './facts/places.js'
import { drawProduct } from './facts/products.js'
import { conversation } from './portuguese.js'

const OCCASIONS = [
  'para o escritório novo',
  'como brinde de fim de ano para a equipe',
  'para os quartos que estamos reformando',
  'para o nosso estande em uma feira',
  'para substituir o que temos, que já está bem velho',
] as const

const DISCOUNTS = [5, 8, 10, 12] as const

/** A firm asks for a price for many. */
export const bulkQuote = conversation({
  name: 'bulk-quote',
  category: 'sales',
  weight: 6,
  facts: (random, setting) => {
    const { centavos, ...product } = drawProduct(random, setting.company)
    const quantity = random.integer(2, 40) * 5
    const percent = random.pick(DISCOUNTS)
    const unit = Math.round((centavos * (100 - percent)) / 100)
    return {
      ...product,
      quantity,
      percent,
      unit: formatReais(unit),
      total: formatReais(unit * quantity),
      quote: numberOfYear('ORC', random, setting.begins),
      occasion: random.pick(OCCASIONS),
      city: drawCity(random),
      firm: drawEmployer(random).name,
      department: drawDepartment(random),
      needed: formatDay(workdayAfter(setting.begins + random.integer(18, 40) * DAY)),
    }
  },
  subject: [
    (f) => `Orçamento: ${f.quantity} un., ${f.item}`,
    (f) => `Pedido de orçamento - ${f.firm}`,
    (f) => `Preço para ${f.quantity} unidades`,
    (f) => `Desconto por quantidade ${f.ofItem}?`,
  ],
  opening: [
    (f) => [
      `Precisamos de ${f.quantity} unidades ${f.ofItem} ${f.occasion}. Qual é o melhor preço que vocês fazem?`,
      `A entrega seria em ${f.city}, até ${f.needed}.`,
    ],
    (f) =>
      `Solicito orçamento de ${f.quantity} unidades (${f.item}), com entrega em ${f.city} até ${f.needed}. Pagamento: boleto 28 dias.`,
    (f) => [
      `Trabalho na ${f.firm} e procuramos algo como ${f.theItem} de vocês ${f.occasion}.`,
      `Seriam ${f.quantity} unidades. Vocês dão desconto por quantidade? Precisaríamos receber até ${f.needed}.`,
    ],
    (f) => [
      `Estamos cotando com três fornecedores: ${f.quantity} unidades ${f.ofItem}, ${f.occasion}.`,
      `O prazo, ${f.needed}, pesa mais do que o preço. Conseguem atender?`,
    ],
  ],
  answer: [
    (f) => [
      `Agradecemos o interesse. Segue o orçamento ${f.quote}: ${f.percent}% de desconto, ${f.unit} por unidade.`,
      `O total das ${f.quantity} unidades é de ${f.total}, com frete para ${f.city} incluso. O prazo (${f.needed}) é tranquilo.`,
    ],
    (f) => [
      `Conseguimos, sim. Com ${f.percent}% de desconto, cada unidade sai por ${f.unit}, no total de ${f.total} (orçamento ${f.quote}).`,
      'A validade é de 30 dias, e aceitamos Pix ou boleto.',
    ],
    (f) =>
      `Orçamento ${f.quote}: ${f.quantity} unidades, ${f.unit} cada, total de ${f.total}. Temos tudo em estoque, e o frete para ${f.city} é por nossa conta.`,
  ],
  reaction: [
    (f) => `Fechado, vamos com o ${f.quote}. Qual é o próximo passo?`,
    (f) => [
      `A diretoria aprovou os ${f.total}.`,
      'Dá para dividir a entrega em duas, metade agora e metade daqui a duas semanas?',
    ],
    (f) =>
      `${gendered(f, 'Obrigada', 'Obrigado')} pela rapidez. O preço de ${f.unit} vale também se precisarmos de mais depois?`,
  ],
  solution: [
    (f) => [
      `Pedido registrado com base no ${f.quote}. A entrega pode ser feita de uma vez ou em duas partes, como preferirem.`,
      `As ${f.quantity} unidades chegam a ${f.city} até ${f.needed}, e a nota sai em nome da ${f.firm}.`,
    ],
    (f) =>
      `Pode ser em duas entregas, sim, e o preço de ${f.unit} vale para novas unidades até o fim do ano. Para fechar, basta responder aprovando o ${f.quote}.`,
    (f) => [
      `Já reservamos as ${f.quantity} unidades, e o preço fica garantido para um eventual complemento.`,
      `Seguimos com o ${f.quote} (${f.total}) e avisamos na véspera da entrega.`,
    ],
  ],
  thanks: [
    (f) => `Aprovado o ${f.quote}. Ficamos no aguardo da entrega.`,
    (f) => `Muito ${gendered(f, 'obrigada', 'obrigado')}, foi fácil negociar com vocês.`,
    (f) => `Combinado, ${f.needed} está ótimo para nós. Agradeço a flexibilidade.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) => `Vamos precisar de mais dez unidades. Valem as condições do ${f.quote}?`,
        (f) => `As ${f.quantity} unidades não vão dar. Em quanto tempo conseguem mais?`,
      ],
      answer: [
        (f) => `Valem, sim: ${f.unit} por unidade. É só confirmar a quantidade final.`,
        () => 'O complemento sai em cinco dias úteis depois da confirmação.',
      ],
    },
    {
      question: [
        () => 'O prédio não tem elevador e ficamos no segundo andar. A entrega inclui subir as escadas?',
        () => 'A entrega pode ser de manhã?',
      ],
      answer: [
        () => 'Inclui. Vão duas pessoas, sem custo a mais.',
        () => 'Pode. Agendei entre 8h e 12h, e o motorista liga meia hora antes.',
      ],
    },
  ],
  titles: (f) => `${f.department}, ${f.firm}`,
  attachment: (f, index) =>
    index === 0 ? { fixture: 'orders.csv', filename: `lista-de-compras_${f.quantity}-un.csv` } : undefined,
})
