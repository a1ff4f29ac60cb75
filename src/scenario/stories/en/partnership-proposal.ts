import { plainFarewells } from './closing-words.js'
import { conversation } from './english.js'
import { drawShop } from './facts/firms.js'
import { drawCity } from './facts/places.js'

const PROPOSALS = [
  {
    idea: 'sell some of your goods at our counter',
    benefit:
      'Our customers ask for exactly what you make, and we have a shop window on the busiest street in town.',
    short: 'your goods in our shop',
  },
  {
    idea: 'run a weekend workshop together',
    benefit: 'We have the room and the regulars, you have the things people would like to try out.',
    short: 'a workshop together',
  },
  {
    idea: 'put a voucher of yours into our welcome packs',
    benefit: 'We hand out around four hundred of them a month.',
    short: 'vouchers in our welcome packs',
  },
  {
    idea: 'refer customers to each other',
    benefit:
      'Half of the people who come to us need something you have, and I suspect it works the other way round too.',
    short: 'referring customers',
  },
] as const

const SHARES = [5, 8, 10, 12] as const

/** A firm would like to do something together. */
export const partnershipProposal = conversation({
  name: 'partnership-proposal',
  category: 'sales',
  weight: 2,
  facts: (random) => {
    const { name, domain } = drawShop(random)
    return {
      ...random.pick(PROPOSALS),
      firm: name,
      logo: domain.replace('.example', '.png'),

      city: drawCity(random),
      years: random.integer(4, 38),
      share: random.pick(SHARES),
    }
  },
  subject: [
    (f) => `${f.firm} + ${f.company}?`,
    (f) => `Idea: ${f.short}`,
    (f) => `Working together (${f.firm}, ${f.city})`,
    () => 'A proposal, two minutes to read',
  ],
  opening: [
    (f) => [
      `We are ${f.firm} from ${f.city} and have been at it for ${f.years} years. I would like to suggest that we ${f.idea}.`,
      f.benefit,
      'Would you be open to a short call about it?',
    ],
    (f) => [
      `I will keep it brief. Idea: we ${f.idea}. ${f.benefit}`,
      `If that is of interest to ${f.company}, tell me whom to talk to.`,
    ],
    (f) => [
      `A customer of ours mentioned you the other day, and it struck me how well we would fit together.`,
      `What would you say if we were to ${f.idea}? ${f.benefit}`,
      `${f.firm} is small, but people in ${f.city} have known us for ${f.years} years.`,
    ],
    (f) => [
      `I wrote to you in the autumn and never heard back, so here is a second try: let us ${f.idea}.`,
      `${f.benefit} A plain no is fine too, I would just like to know.`,
    ],
  ],
  answer: [
    (f) => [
      `Thank you for thinking of us. The idea is a good one, and I have passed it to the person who looks after partners.`,
      `To prepare for a call: what would ${f.firm} expect from us, and when would you like to begin?`,
    ],
    () => [
      `That sounds interesting. We have done something like it once and learned a few things on the way.`,
      `Could you tell me roughly how you would share costs and income?`,
    ],
    (f) =>
      `We read this with pleasure. Before we talk, a few lines on the numbers would help: what would it cost, what would each side get, and is it for ${f.city} only?`,
  ],
  reaction: [
    (f) => [
      `Fair questions. We thought of ${f.share} % for whoever brings the customer, and no fixed costs.`,
      `We would try it in ${f.city} for three months.`,
    ],
    (f) =>
      `In short: ${f.share} % each way, three months to start with, and either side can stop at any time.`,
    (f) =>
      `I talked to our bookkeeper. ${f.share} % would work for us, starting in spring, just in ${f.city} at first. How does that sound to you?`,
  ],
  solution: [
    (f) => [
      `${f.share} % and three months sound reasonable. I suggest half an hour on the phone next week, then we write it down on one page.`,
      'Tuesday and Thursday mornings are good for us.',
    ],
    (f) =>
      `We are in. Let us try it in ${f.city} first and look at the figures together after a quarter. A colleague will send you a draft of one page.`,
    (f) => [
      `Thank you, that is clear and fair. We would like to go ahead.`,
      `I will put together a page with the ${f.share} % and the dates and send it over for you to change as you like.`,
    ],
  ],
  thanks: [
    () => 'Wonderful. I look forward to it, and so does everybody here.',
    () => 'That is good news for a grey morning. Until then!',
    (f) => `Splendid. I have told everybody at ${f.firm}, so now there is no way back.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => 'Could you send us your logo in a good size? Our designer is asking.',
        (f) => `Which name shall we print, ${f.company} or something shorter?`,
      ],
      answer: [
        (f) => `You will get a set of files from our designer. In text it is simply ${f.company}.`,
        (f) =>
          `Please write ${f.company} in full, and put the logo on white if you can. The files come to you separately.`,
      ],
    },
    {
      question: [
        () =>
          'First impressions: eleven people asked about you last week, and four took a card. Not bad, is it?',
        (f) => `How are the first weeks looking from your side? Here in ${f.city} people seem to like it.`,
      ],
      answer: [
        (f) => `We can see it in the orders from ${f.city} already. A promising start, thank you!`,
        () => 'Better than we had dared to plan. Let us compare figures at the end of the month.',
      ],
    },
  ],
  titles: (f) => `${f.firm}, ${f.city}`,
  attachment: (f, index) =>
    index === 0 || index === 6 ? { fixture: 'logo.png', filename: `logo-${f.logo}` } : undefined,
})
