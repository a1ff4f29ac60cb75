import { DAY } from '../facts/calendar.js'
import { formatDay, formatMonth } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { drawCity } from './facts/places.js'
import { announcement } from './portuguese.js'

const THEMES = [
  {
    title: 'Dez minutos para arrumar a bagunça',
    teaser: 'Testamos cinco jeitos. Dois sobreviveram à segunda-feira.',
  },
  { title: 'Do pé de café à xícara', teaser: 'Uma conversa com quem acorda antes do sol para torrar.' },
  {
    title: 'Comprar menos, escolher melhor',
    teaser: 'Quatro perguntas antes de pôr qualquer coisa no carrinho.',
  },
  {
    title: 'Oficinas pequenas, dias compridos',
    teaser: 'Visitamos gente que conserta o que os outros jogam fora.',
  },
  {
    title: 'O que nossos leitores têm na mesa',
    teaser: 'Vocês mandaram duzentas fotos. Estas nove deram briga.',
  },
] as const
const OFFERS = [
  'frete grátis até o fim do mês',
  'um caderno de brinde em cada pedido',
  '10% de desconto no Pix',
  'uma noite de promoção só para assinantes',
] as const

/** A shop's letter to its readers. */
export const newsletter = announcement({
  name: 'newsletter',
  category: 'newsletters',
  weight: 4,
  colour: '#2f5d50',
  html: 1,
  htmlOnly: 0.12,
  facts: (random, setting) => ({
    ...random.pick(THEMES),
    offer: random.pick(OFFERS),
    shop: drawShop(random),
    city: drawCity(random),
    issue: random.integer(12, 190),
    month: formatMonth(setting.begins),
    evening: formatDay(setting.begins + random.integer(6, 20) * DAY),
    reader: random.integer(100_000, 999_999),
  }),
  from: (f) => ({ name: f.shop.name, address: `novidades@${f.shop.domain}` }),
  subject: [
    (f) => `${f.title} | ${f.shop.name}, edição ${f.issue}`,
    (f) => `${f.shop.name} em ${f.month}: ${f.offer}`,
    (f) => `Edição ${f.issue}: ${f.title.toLowerCase()}`,
    (f) => `Tem novidade de ${f.month} na ${f.shop.name}`,
  ],
  first: [
    (f) => [
      { heading: f.title },
      `Chegou a edição ${f.issue} da nossa cartinha. ${f.teaser}`,
      { link: `https://${f.shop.domain}/cartas/${f.issue}`, label: 'Leia a história completa' },
      { heading: 'Na loja este mês' },
      `Nosso presente de ${f.month} para quem assina: ${f.offer}. Não precisa de cupom, é só entrar com este e-mail.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `Um alô de ${f.city}` },
      `${capital(f.month)} começou agitado por aqui. ${f.teaser} A edição ${f.issue} conta tudo e ainda traz ${f.offer}.`,
      { link: `https://${f.shop.domain}/cartas/${f.issue}`, label: `"${f.title}"` },
      `Anote: ${f.evening}, a loja de ${f.city} fica aberta até as 22h. Vai ter pão de queijo.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `${f.shop.name}, ${f.month}` },
      {
        rows: [
          ['Edição', `nº ${f.issue}`],
          ['Matéria principal', f.title],
          ['Para assinantes', f.offer],
        ],
      },
      f.teaser,
      { link: `https://${f.shop.domain}/cartas/${f.issue}`, label: 'Abrir a edição' },
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: 'Três minutos de leitura' },
      `1. ${f.title}. ${f.teaser}`,
      `2. Do arquivo da ${f.shop.name}: o texto mais lido do ano passado.`,
      `3. Em ${f.month} tem ${f.offer}. A edição ${f.issue} explica como.`,
      { link: `https://${f.shop.domain}/cartas/${f.issue}`, label: 'Começar pelo primeiro' },
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'Erramos' },
        `Um link da edição ${f.issue} levava para a página errada. Este é o certo; o café de quem percebeu primeiro é por nossa conta.`,
        { link: `https://${f.shop.domain}/cartas/${f.issue}`, label: f.title },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'Caso tenha passado batido' },
        `Há alguns dias escrevemos sobre "${f.title}". A oferta continua valendo: ${f.offer}.`,
        { link: `https://${f.shop.domain}/cartas/${f.issue}`, label: 'Ver de novo' },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'Vocês responderam' },
        `A edição ${f.issue} foi a que mais rendeu respostas este ano. Publicamos as melhores, só com o primeiro nome.`,
        {
          link: `https://${f.shop.domain}/cartas/${f.issue}/respostas`,
          label: 'Ler o que os outros escreveram',
        },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'logo.png', filename: `cabecalho-${f.issue}.png` } : undefined,
})

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

function unsubscribe(shop: string, domain: string, reader: number) {
  return {
    small: `Você recebe esta mensagem porque se inscreveu na lista da ${shop}. Para sair: https://${domain}/sair?leitor=${reader}`,
  }
}
