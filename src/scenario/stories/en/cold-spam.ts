import { announcement } from './english.js'

const OFFERS = [
  {
    trade: 'search ranking',
    promise: 'be on the first page within six weeks',
    domain: 'rankrocket.example',
  },
  {
    trade: 'address lists',
    promise: 'reach 40,000 decision makers',
    domain: 'leadsluice.example',
  },
  {
    trade: 'business loans',
    promise: 'get working capital within three days',
    domain: 'quickquay-capital.example',
  },
  { trade: 'web design', promise: 'double the income of a web site', domain: 'pixelbarn.example' },
  {
    trade: 'outsourcing',
    promise: 'cut the cost of customer service by sixty per cent',
    domain: 'officeafar.example',
  },
] as const

const MINUTES = [10, 15, 20] as const
const NOT_PLAIN = /[^A-Za-z]/g

/** Offers that nobody asked for. */
export const coldSpam = announcement({
  name: 'cold-spam',
  category: 'spam',
  weight: 3,
  colour: '#b00020',
  html: 0.5,
  htmlOnly: 0.2,
  facts: (random, setting) => {
    const { firstName, lastName } = setting.person(random)
    return { ...random.pick(OFFERS), firstName, lastName, minutes: random.pick(MINUTES) }
  },
  from: (f) => ({ name: `${f.firstName} ${f.lastName}`, address: `${mailboxName(f.firstName)}@${f.domain}` }),
  subject: [
    (f) => `Quick question for ${f.company}`,
    (f) => `${f.company} and ${f.trade}`,
    () => 'Did you see this?',
    (f) => `${f.minutes} minutes this week?`,
    () => 'Re: our conversation',
  ],
  first: [
    (f) => [
      'Hi there,',
      `I came across ${f.company} and was impressed. Companies like yours usually struggle with one thing, and it is ${f.trade}.`,
      `We help them ${f.promise}. Are you free for ${f.minutes} minutes on Thursday?`,
      signature(f),
    ],
    (f) => [
      `Dear ${f.agentName},`,
      `I hope this finds you well! My name is ${f.firstName} and I work in ${f.trade}.`,
      `What if you could ${f.promise}? No risk, no contract, results or you pay nothing. Just reply YES.`,
      signature(f),
    ],
    (f) => [
      'Hello,',
      `I'll be blunt: your competitors already use us for ${f.trade}. It let them ${f.promise}.`,
      { link: `https://${f.domain}/book?minutes=${f.minutes}`, label: 'Pick a time that suits you' },
      signature(f),
    ],
    (f) => [
      'Hey,',
      `Not sure if you are the right person at ${f.company} for this. If not, could you forward it to whoever looks after ${f.trade}?`,
      `In one line: we let you ${f.promise}.`,
      signature(f),
    ],
  ],
  next: [
    [
      (f) => [
        'Hi again,',
        `Just bumping this to the top of your inbox. ${f.minutes} minutes, that is all I ask.`,
        signature(f),
      ],
      (f) => [
        'Hello,',
        `I have not heard from you, so I assume that you are either swamped or already able to ${f.promise}. Which one is it?`,
        signature(f),
      ],
      (f) => [
        'Hi,',
        `This is my last message, promise. If ${f.trade} is not a topic for ${f.company} now, shall I try again next quarter?`,
        signature(f),
      ],
    ],
  ],
})

interface Pitch {
  readonly firstName: string
  readonly lastName: string
  readonly trade: string
  readonly domain: string
}

function signature({ firstName, lastName, trade, domain }: Pitch): string {
  return `${firstName} ${lastName}\n${trade.charAt(0).toUpperCase()}${trade.slice(1)} | https://${domain}`
}

/** The part of an address before the `@`, from the letters that may stand there. */
function mailboxName(firstName: string): string {
  const plain = firstName.normalize('NFD').replace(NOT_PLAIN, '').toLowerCase()
  return plain === '' ? 'hello' : plain
}
