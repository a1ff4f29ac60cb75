import { plainLetters } from '../people.js'
import { announcement } from './portuguese.js'

const OFFERS = [
  {
    trade: 'posicionamento no buscador',
    promise: 'aparecer na primeira página em seis semanas',
    domain: 'topodabusca.example',
  },
  {
    trade: 'listas de contatos',
    promise: 'falar com 40 mil tomadores de decisão',
    domain: 'leadsnaveia.example',
  },
  { trade: 'capital de giro', promise: 'ter crédito aprovado em 24 horas', domain: 'creditoturbo.example' },
  { trade: 'consórcio empresarial', promise: 'trocar a frota sem juros', domain: 'consorciojaja.example' },
  {
    trade: 'atendimento terceirizado',
    promise: 'cortar 60% do custo do atendimento',
    domain: 'atendelonge.example',
  },
] as const

const MINUTES = [10, 15, 20] as const

/** Offers that nobody asked for. */
export const coldSpam = announcement({
  name: 'cold-spam',
  category: 'spam',
  weight: 3,
  colour: '#b00020',
  html: 0.5,
  htmlOnly: 0.2,
  facts: (random, setting) => {
    const { firstName, fullName } = setting.person(random)
    return { ...random.pick(OFFERS), firstName, fullName, minutes: random.pick(MINUTES) }
  },
  from: (f) => ({ name: f.fullName, address: `${plainLetters(f.firstName)}@${f.domain}` }),
  subject: [
    (f) => `Pergunta rápida para a ${f.company}`,
    (f) => `${f.company} + ${f.trade}`,
    () => 'Você viu o meu e-mail?',
    (f) => `${f.minutes} minutinhos esta semana?`,
    () => 'Re: nossa conversa',
  ],
  first: [
    (f) => [
      'Oi, tudo bem?',
      `Conheci a ${f.company} pelo site e achei incrível. Empresas como a sua costumam sofrer com uma coisa só: ${f.trade}.`,
      `Nós ajudamos você a ${f.promise}. Tem ${f.minutes} minutos na quinta?`,
      signature(f),
    ],
    (f) => [
      `Olá, ${f.agentName},`,
      `Espero que esteja tudo ótimo por aí! Meu nome é ${f.firstName} e trabalho com ${f.trade}.`,
      `Já pensou em ${f.promise}? Sem risco, sem fidelidade, você só paga se der resultado. Responda SIM e eu ligo hoje mesmo.`,
      signature(f),
    ],
    (f) => [
      'Bom dia,',
      `Vou direto ao ponto: seus concorrentes já usam o nosso serviço de ${f.trade} para ${f.promise}.`,
      { link: `https://${f.domain}/agenda?min=${f.minutes}`, label: 'Escolha o melhor horário' },
      signature(f),
    ],
    (f) => [
      'Olá!',
      `Não sei se você é a pessoa certa na ${f.company}. Se não for, pode encaminhar para quem cuida de ${f.trade}?`,
      `Em uma linha: com a gente dá para ${f.promise}. VAGAS LIMITADAS!`,
      signature(f),
    ],
  ],
  next: [
    [
      (f) => [
        'Oi de novo,',
        `Só passando para trazer este e-mail para o topo da sua caixa. São só ${f.minutes} minutos.`,
        signature(f),
      ],
      (f) => [
        'Olá,',
        `Como não tive retorno, imagino que você esteja na correria ou já tenha conseguido ${f.promise}. Qual dos dois?`,
        signature(f),
      ],
      (f) => [
        'Oi,',
        `Prometo que é a última mensagem. Se ${f.trade} não é assunto para a ${f.company} agora, posso tentar no próximo trimestre?`,
        signature(f),
      ],
    ],
  ],
})

interface Pitch {
  readonly fullName: string
  readonly trade: string
  readonly domain: string
}

function signature({ fullName, trade, domain }: Pitch): string {
  return `${fullName}\nEspecialista em ${trade} | https://${domain}`
}
