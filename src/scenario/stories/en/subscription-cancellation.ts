import { DAY } from '../facts/calendar.js'
import { customerNumber } from '../facts/order-number.js'
import { plainFarewells } from './closing-words.js'
import { conversation } from './english.js'
import { formatDay } from './facts/dates.js'
import { drawCurrency, formatMoney } from './facts/money.js'

const PLANS = ['Plus membership', 'free-delivery plan', 'Business plan', 'Family membership'] as const
const REASONS = [
  'I do not order often enough for it to pay off.',
  'We are cutting down on everything that renews by itself.',
  'I am moving abroad next month.',
  'My partner has one too, and one is enough for us.',
  'The price went up and I was only told afterwards.',
] as const

/** Somebody who wants to end a plan before it renews. */
export const subscriptionCancellation = conversation({
  name: 'subscription-cancellation',
  category: 'support',
  weight: 5,
  facts: (random, setting) => ({
    member: customerNumber(random),
    plan: random.pick(PLANS),
    reason: random.pick(REASONS),
    fee: formatMoney(random.integer(4, 39) * 100 + 90, drawCurrency(random)),
    renews: formatDay(setting.begins + random.integer(4, 24) * DAY),
  }),
  subject: [
    (f) => `Cancel my ${f.plan} (${f.member})`,
    (f) => `Cancellation, customer ${f.member}`,
    (f) => `Please end my ${f.plan}`,
    (f) => `${f.member}: no renewal please`,
  ],
  opening: [
    (f) => [
      `Please cancel my ${f.plan} before it renews on ${f.renews}. My customer number is ${f.member}.`,
      f.reason,
    ],
    (f) =>
      `I hereby cancel the ${f.plan}, customer ${f.member}, as of the next possible date. Please confirm in writing.`,
    (f) => [
      `I have enjoyed the ${f.plan}, but it is time to say goodbye. ${f.reason}`,
      `Could you end it for ${f.member}? If there is a cheaper one I would at least have a look.`,
    ],
    (f) => [
      `I have clicked through your site for twenty minutes and there is no button to cancel the ${f.plan}. Is that on purpose?`,
      `Customer ${f.member}. I do not want to be charged ${f.fee} again on ${f.renews}.`,
    ],
    (f) => [
      `How do I get out of the ${f.plan}? ${f.reason}`,
      `The next ${f.fee} is due on ${f.renews}, so I would like this settled before then. My number: ${f.member}.`,
    ],
  ],
  answer: [
    (f) => [
      `I am sorry to see you go. I can end the ${f.plan} for ${f.member} on the last day you have paid for, so that it will not renew on ${f.renews}.`,
      `Or I can pause it for three months, free of charge. Which would you prefer?`,
    ],
    (f) => [
      `Thank you for your message. Nothing will be charged on ${f.renews}, I have stopped that already.`,
      `Would a pause suit you better than an end? It costs nothing, and you keep your price of ${f.fee}.`,
    ],
    (f) =>
      `I have found your ${f.plan}. Shall I end it for good, or put it to sleep until you need it? In both cases the ${f.fee} will not be taken.`,
  ],
  reaction: [
    () => 'End it, please. I know where to find you should I change my mind.',
    () => 'No pause, thank you, I would only forget about it. Please cancel.',
    (f) => `Thanks for the offer, but I'd like to cancel. Will I keep my order history under ${f.member}?`,
  ],
  solution: [
    (f) => [
      `Done. Your ${f.plan} has been cancelled and will not renew. This message is your confirmation.`,
      `Your account ${f.member} with all its orders stays as it is.`,
    ],
    (f) =>
      `I hereby confirm the end of the ${f.plan} for customer ${f.member}. You can use it until the last day you have paid for; your order history stays.`,
    () => [
      `It is cancelled, with no further payment.`,
      'Your account and everything in it remain. Thank you for the time you were with us.',
    ],
  ],
  thanks: [
    () => 'Thank you, and thanks for not making me ring somebody.',
    () => 'Confirmation received. That was easier than expected.',
    () => 'Thanks. No hard feelings, and maybe we will meet again.',
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) => `Your app still shows me the ${f.plan} badge. It is really cancelled, isn't it?`,
        (f) => `I got a mail saying "Your ${f.plan} is about to renew". Please tell me that was a mistake.`,
      ],
      answer: [
        (f) =>
          `It is really cancelled. The ${f.fee} will not be taken, whatever an automatic mail or a badge may say.`,
        (f) => `That is only a leftover, and I apologize. ${f.member} has no plan that renews.`,
      ],
    },
    {
      question: [
        () => 'If I came back next year, would I get the old price again?',
        (f) => `Can I give what is left of the ${f.plan} to my sister?`,
      ],
      answer: [
        () => 'I cannot promise that, but write to me when the time comes and I will see what can be done.',
        () => 'The rules are not made for it, but I am sure we would find a way. Just ask for me.',
      ],
    },
  ],
})
