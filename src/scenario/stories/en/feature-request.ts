import { ticketNumber } from '../facts/order-number.js'
import { plainFarewells } from './closing-words.js'
import { conversation } from './english.js'

const WISHES = [
  {
    wish: 'download my orders as a spreadsheet',
    why: 'I copy them by hand every quarter, line by line.',
    short: 'Orders as a spreadsheet',
  },
  {
    wish: 'put a delivery on hold while I am away',
    why: 'Parcels on the doorstep for a week are an invitation.',
    short: 'Putting deliveries on hold',
  },
  {
    wish: 'keep several delivery addresses under names of my own',
    why: 'We have three branches and I mix them up.',
    short: 'Named delivery addresses',
  },
  {
    wish: 'share a basket with a colleague before ordering',
    why: 'At the moment we send each other photos of the screen.',
    short: 'Sharing a basket',
  },
  {
    wish: 'search my old orders by product',
    why: 'I never remember when I bought something, only what it was.',
    short: 'Searching old orders',
  },
  {
    wish: 'switch the account pages to a dark background',
    why: 'I do the ordering late at night and it is blinding.',
    short: 'Dark background',
  },
  {
    wish: 'get one summary a week instead of a mail for every step',
    why: 'Five messages per parcel are a lot.',
    short: 'Weekly summary',
  },
] as const

/** A wish for something the company's site cannot do yet. */
export const featureRequest = conversation({
  name: 'feature-request',
  category: 'support',
  weight: 4,
  facts: (random) => ({
    ...random.pick(WISHES),
    ticket: ticketNumber(random),
    others: random.integer(6, 70),
    seats: random.integer(2, 25),
  }),
  subject: [
    (f) => `Suggestion: ${f.short.toLowerCase()}`,
    (f) => `${f.short}?`,
    () => 'A wish for your site',
    (f) => `Feature request - ${f.short.toLowerCase()}`,
  ],
  opening: [
    (f) => [
      `Is there a way to ${f.wish}? I have looked everywhere and not found one.`,
      `${f.why} If it does not exist yet, please take this as a suggestion.`,
    ],
    (f) => `Feature request: let me ${f.wish}. ${f.why}`,
    (f) => [
      `I have been a happy customer for a few years and there is just one thing I keep missing: I would love to ${f.wish}.`,
      `${f.why} I am sure I am not alone with this. Anyway, keep up the good work!`,
    ],
    (f) => [
      `I find it hard to believe that in this day and age I cannot ${f.wish}.`,
      `${f.why} Other shops have had this for years.`,
    ],
    (f) => [
      `We are a team of ${f.seats}, and I am the one who does the ordering. What I would love is to ${f.wish}.`,
      `${f.why} Is that possible already, or could it be?`,
    ],
  ],
  answer: [
    (f) => [
      `Thank you for the suggestion. You cannot do that yet, but ${f.others} others have asked for the same.`,
      `I have added your voice to ${f.ticket}. May I ask how often you would use it?`,
    ],
    (f) => [
      `I like the idea, and so did the colleague I showed it to.`,
      `It is written down as ${f.ticket}. How do you manage at the moment, and how often does it come up?`,
    ],
    (f) =>
      `You are right, that is missing. I have noted it as ${f.ticket}. Would it help you every week, or is it more of a once-a-year matter?`,
  ],
  reaction: [
    () => 'About once a week. More often before the holidays.',
    (f) => [
      `Often enough to write to you about it! Two or three times a month, I would say.`,
      `And there are ${f.seats} of us.`,
    ],
    () => 'Rarely, to be honest, but when it comes up it costs me an hour each time.',
  ],
  solution: [
    (f) => [
      `That helps, thank you. With your answer ${f.ticket} has moved up the list.`,
      'I cannot promise a date, but I will write to you as soon as there is something to try.',
    ],
    (f) =>
      `Good to know. ${f.ticket} is planned for the coming quarter, and I have put you down as one of the first to test it.`,
    (f) => [
      `Thank you. I talked to the people who decide, and the answer is yes, in a simple first form.`,
      `You will find ${f.ticket} mentioned in the release notes when it is out.`,
    ],
  ],
  thanks: [
    () => 'That is more than I had hoped for. Thank you for taking it seriously.',
    () => 'Excellent. I am happy to test it, whenever that is.',
    () => 'Good enough for me. I will keep an eye out for it.',
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) => `Any news about ${f.ticket}? No pressure, I am only curious.`,
        (f) => `A colleague asked me about ${f.ticket} today. Is there anything I can pass on?`,
      ],
      answer: [
        (f) =>
          `It is being built as we speak. You are on the list for ${f.ticket} and will hear from us first.`,
        () => 'You can tell them that it exists, but only inside the house and with rough edges.',
      ],
    },
    {
      question: [
        () => 'One more idea while you are at it: a keyboard shortcut for the search would be lovely.',
        () => 'Would it be much work to offer the same on the phone? I rarely sit at a desk.',
      ],
      answer: [
        () => 'I have written that down too. Small things like this are often quicker than one thinks.',
        (f) => `I have added it to ${f.ticket}, so that both are looked at together.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 2 ? { fixture: 'screenshot.png', filename: `idea-${f.ticket}.png` } : undefined,
})
