import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { drawPurchase } from './facts/purchase.js'

const DAYS = ['two', 'three', 'five'] as const

/** A payment that shows up twice. */
export const doubleCharge = conversation({
  name: 'double-charge',
  category: 'support',
  weight: 5,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    card: `${random.integer(10_001, 19_999)}`.slice(1),
    days: random.pick(DAYS),
  }),
  subject: [
    (f) => `Charged twice for order ${f.order}`,
    (f) => `Double payment ${f.order}`,
    (f) => `${f.price} taken two times (order ${f.order})`,
    (f) => `Why did I pay twice? ${f.order}`,
  ],
  opening: [
    (f) => [
      `My statement shows two payments of ${f.price} to you on ${f.ordered}, but I only ordered once (${f.order}).`,
      `Both went from the card ending in ${f.card}. Please return one of them.`,
    ],
    (f) =>
      `You charged me twice for ${f.order}. ${f.price}, same day, same card (${f.card}). I want one back.`,
    (f) => [
      `When I paid for the ${f.item} the page hung for a while, so I pressed the button again. Silly, I know.`,
      `Now ${f.price} has gone out twice for order ${f.order}. Can you see that on your side as well?`,
    ],
    (f) => [
      `I am fairly careful with money, so this gave me a fright: ${f.price} for order ${f.order}, two times, one minute apart.`,
      `Is the second one a mistake, or did I somehow buy two of the ${f.item}?`,
    ],
    (f) => [
      `My account went into the red because you took ${f.price} twice for one ${f.item}.`,
      `Order ${f.order}, card ending ${f.card}. Who pays the bank's fee?`,
    ],
  ],
  answer: [
    (f) => [
      `I understand the fright. I can see one order, ${f.order}, and one payment of ${f.price} that was completed.`,
      `The other is a reservation from the first try. Your bank should let it go within ${f.days} working days.`,
    ],
    (f) => [
      `Thank you for telling us. Order ${f.order} was paid once; the second ${f.price} is only held by your bank and has not reached us.`,
      `It normally disappears in ${f.days} working days. If it does not, write to me and I will take it up with the payment provider.`,
    ],
    (f) =>
      `You bought one ${f.item}, no more. The page timed out and asked your bank a second time; that request was never completed. Please allow ${f.days} working days for the ${f.price} to be released.`,
  ],
  reaction: [
    (f) =>
      `I have waited, and both amounts are now booked, not just reserved. So that is ${f.price} too much after all.`,
    (f) =>
      `The bank says it is a real payment and that only you can return it. It was the card ending in ${f.card}.`,
    () => 'It is still there. The bank gave me a reference and says the ball is in your court.',
  ],
  solution: [
    (f) => [
      `Then the provider did complete it, and I am sorry that I told you otherwise. I have returned ${f.price} to the card ending in ${f.card}.`,
      'If your bank charged you a fee because of it, send us the amount and we will cover it.',
    ],
    (f) =>
      `You were right. The provider found the second payment for ${f.order} and ${f.price} is on its way back to you now.`,
    (f) => [
      `I had the payment traced. It was taken twice, and the second ${f.price} has been refunded today.`,
      'It can take your bank a few days to show it.',
    ],
  ],
  thanks: [
    (f) => `The ${f.price} is back. Thank you for following it up.`,
    () => 'Refund is there, case closed from my side. Thanks.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        () => 'My bank did charge me for the overdraft in the end. Is that something you cover?',
        (f) =>
          `Could I have a short confirmation for my bank that the second payment for ${f.order} was an error?`,
      ],
      answer: [
        () => 'Yes. We will gladly do that; it goes out today.',
        (f) =>
          `Certainly: for order ${f.order} the sum of ${f.price} was collected twice in error and returned once. Anything your bank charged for it is on us.`,
      ],
    },
    {
      question: [
        () => 'Is the problem with the payment page fixed? I would like to order again but do not dare.',
        () => 'Can I pay by invoice next time? I have lost a bit of faith in the button.',
      ],
      answer: [
        () =>
          'The button now switches itself off after the first click, so it cannot happen that way again. Payment by invoice is open to you as well.',
        () => 'I have enabled payment by invoice for your account. And yes, the page has been mended.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `statement-${f.order}.png` }
      : undefined,
})
