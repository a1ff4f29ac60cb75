import { DAY, startOfDay, workdayAfter } from '../facts/calendar.js'
import { gendered } from '../letters/gendered.js'
import { plainFarewells, supportThanks } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawDepartment, drawEmployer } from './facts/firms.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './portuguese.js'

const WISHES = [
  { wish: 'sair em nome da empresa', done: 'agora em nome da empresa' },
  { wish: 'trazer o nosso número de pedido de compra', done: 'com o número do pedido de compra' },
  { wish: 'ter a razão social corrigida', done: 'com a razão social corrigida' },
  { wish: 'mostrar o frete em uma linha separada', done: 'com o frete em linha separada' },
] as const

/** Somebody needs an invoice, which no tax number is written out in. */
export const invoiceQuestion = conversation({
  name: 'invoice-question',
  category: 'support',
  weight: 5,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    ...random.pick(WISHES),
    firm: drawEmployer(random).name,
    department: drawDepartment(random),
    invoice: `NF-${random.integer(10_000, 99_999)}`,
    deadline: formatDay(workdayAfter(startOfDay(setting.begins) + random.integer(3, 8) * DAY)),
  }),
  subject: [
    (f) => `Nota fiscal do pedido ${f.order}`,
    (f) => `Correção da nota ${f.invoice}`,
    (f) => `2ª via da nota fiscal ${f.invoice}`,
    (f) => `Dúvida sobre a nota ${f.invoice} (pedido ${f.order})`,
  ],
  opening: [
    (f) => [
      `Recebemos a nota fiscal ${f.invoice}, de ${f.price}, referente ao pedido ${f.order} (${f.item}).`,
      `Ela precisa ${f.wish}. A empresa é a ${f.firm}; os dados cadastrais estão na nossa conta.`,
    ],
    (f) => [
      `Não consigo lançar a nota ${f.invoice} (pedido ${f.order}) no sistema do jeito que está.`,
      `Ela deveria ${f.wish}. Conseguem reemitir até ${f.deadline}?`,
    ],
    (f) =>
      `Favor reemitir a nota ${f.invoice}, pedido ${f.order}, ${f.price}: precisa ${f.wish}. Empresa: ${f.firm}.`,
    (f) => [
      `Baixei a nota ${f.invoice} pelo site, mas a contabilidade devolveu.`,
      `O documento precisa ${f.wish}. O pedido é o ${f.order}, feito pela ${f.firm}.`,
    ],
  ],
  answer: [
    (f) => [
      `Sem problema, podemos reemitir a nota ${f.invoice}.`,
      `Só confirmando: ${f.firm}, valor total de ${f.price}. Está certo?`,
    ],
    (f) => [
      `Pedimos desculpas pelo transtorno com a nota do pedido ${f.order}.`,
      'Basta o PDF ou vocês precisam também do arquivo XML?',
    ],
    (f) =>
      `Recebido. Antes de eu cancelar e reemitir a ${f.invoice} para a ${f.firm}: há mais algum dado a corrigir?`,
  ],
  reaction: [
    (f) => `Isso mesmo: ${f.firm}, ${f.price}. O PDF e o XML, por favor.`,
    () => 'Só isso, não há mais nada a corrigir. Com o XML junto, fica perfeito.',
    (f) => `Nada mais. Só peço que chegue até ${f.deadline}, que é quando fechamos o mês.`,
  ],
  solution: [
    (f) => [
      `Nota reemitida para o pedido ${f.order}, ${f.done}.`,
      `O PDF e o XML estão na sua conta, em "Notas fiscais". A ${f.invoice} anterior foi cancelada.`,
    ],
    (f) =>
      `Pronto. O valor continua ${f.price}, ${f.done}. Enviei o PDF e o XML em uma mensagem separada, em substituição à ${f.invoice}.`,
    (f) => [
      `A nota do pedido ${f.order} foi reemitida, ${f.done}.`,
      `Se a contabilidade pedir mais alguma coisa antes de ${f.deadline}, me avise.`,
    ],
  ],
  thanks: [
    (f) => `Recebi a nota e a contabilidade aceitou. ${gendered(f, 'Obrigada', 'Obrigado')}!`,
    (f) => `Substituição da ${f.invoice} lançada, tudo certo. Agradeço a rapidez.`,
    ...supportThanks,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => 'Dá para deixar os dados da empresa como padrão nas próximas notas?',
        (f) => `Toda vez preciso pedir para sair em nome da ${f.firm}?`,
      ],
      answer: [
        () => 'Dá, sim: em "Meus dados", marque a empresa como padrão para faturamento.',
        (f) => `Não precisa. Deixei a ${f.firm} como padrão na sua conta.`,
      ],
    },
    {
      question: [
        () => 'Vocês conseguem mandar todas as notas do ano passado de uma vez?',
        () => 'É possível pagar por boleto com vencimento em 28 dias?',
      ],
      answer: [
        () => 'Conseguimos. Em "Notas fiscais" há um botão para baixar todas em um arquivo só.',
        () => 'Para empresas com cadastro aprovado, sim. Envio o formulário em seguida.',
      ],
    },
  ],
  titles: (f) => `${f.department}, ${f.firm}`,
  attachment: (f, index) =>
    index === 0 ? { fixture: 'invoice.pdf', filename: `nota-fiscal_${f.invoice}.pdf` } : undefined,
})
