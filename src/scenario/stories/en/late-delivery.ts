import { trackingNumber } from '../facts/order-number.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { drawCarrier } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'

const CAUSES = [
  'a sorting mistake',
  'a label that could not be scanned',
  'a backlog after the weekend',
  'a van that broke down',
  'a missed connection between two depots',
] as const

const DAYS = ['two', 'three', 'four'] as const

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
    (f) => `Order ${f.order} has not arrived`,
    (f) => `Where is my ${f.item}? (order ${f.order})`,
    (f) => `Late delivery, ${f.order}`,
    (f) => `Still waiting for order ${f.order}`,
    (f) => `${f.order}: due ${f.arrived}, not here`,
  ],
  opening: [
    (f) => [
      `My order ${f.order} was supposed to be here on ${f.arrived}, and there is still no sign of it.`,
      `It is a ${f.item}, going to ${f.street}, ${f.city}. Could you find out where it is?`,
    ],
    (f) => [
      `I paid ${f.price} for a ${f.item} and was told it would be delivered on ${f.arrived}.`,
      `The tracking page for order ${f.order} has said "in transit" ever since. What is going on?`,
    ],
    (f) => [
      `Sorry to trouble you, I know you must be busy. On ${f.ordered} I ordered a ${f.item}, order number ${f.order}, and the confirmation promised it for ${f.arrived}.`,
      `I stayed in the whole day and nobody came, and my neighbours have not seen a van either. Should I just keep waiting?`,
    ],
    (f) => [
      `This is the second delivery from you that has gone astray. Order ${f.order}, a ${f.item}, promised for ${f.arrived}, not here.`,
      `I would like a date I can rely on, or my money back.`,
    ],
    (f) =>
      `Order ${f.order}, due ${f.arrived}, not delivered. Please check with ${f.carrier} and let me know.`,
    (f) => [
      `The ${f.item} I ordered on ${f.ordered} is meant as a present, and the birthday is getting close.`,
      `It should have come on ${f.arrived} (order ${f.order}). Is there any chance it will still arrive this week?`,
    ],
  ],
  answer: [
    (f) => [
      `I am sorry about the wait. I have asked ${f.carrier} about order ${f.order}: because of ${f.cause} the parcel has been sitting in their ${f.city} depot.`,
      `They expect to deliver it within ${f.days} working days. The tracking number is ${f.tracking}.`,
    ],
    (f) => [
      `Thank you for writing. Your ${f.item} left us on time, but ${f.carrier} lost some days to ${f.cause}.`,
      `It is on the move again under ${f.tracking} and should be with you in ${f.days} working days. If it is not, tell me and I will send another.`,
    ],
    (f) => [
      `That is not how it should go, and I apologize. ${f.carrier} say that ${f.cause} held up your parcel (${f.tracking}).`,
      `I have asked them to give it priority. Please allow ${f.days} working days.`,
    ],
  ],
  reaction: [
    (f) =>
      `Thanks, but the ${f.days} days are over and nothing has come. The page for ${f.tracking} has not changed at all.`,
    (f) => [
      `No parcel. I rang ${f.carrier} myself and they told me to ask the sender.`,
      `Could you please just send the ${f.item} again?`,
    ],
    () => 'Still nothing here. I have been patient, but I do need it, so what can you do from your end?',
    (f) =>
      `I just looked: ${f.tracking} now shows "returned to depot", although somebody was home all day. Does that mean it goes back to you?`,
  ],
  solution: [
    (f) => [
      `That is long enough. I have sent a second ${f.item} to ${f.street} today, by express and at our cost.`,
      `It needs no signature. Should the first parcel turn up after all, simply refuse it.`,
    ],
    (f) => [
      `I have given up on the first parcel as well. A replacement for order ${f.order} leaves our warehouse this afternoon and will be with you in two working days.`,
      'I have also refunded the delivery charge for the trouble.',
    ],
    (f) =>
      `I am sorry that it came to this. A new ${f.item} is packed and goes out today with another carrier; you will get a message with the delivery window.`,
  ],
  thanks: [
    (f) => `It's here! Thank you, the ${f.item} arrived this morning in one piece.`,
    () => 'Delivered an hour ago. Took long enough, but thank you for staying on it.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `You won't believe it: the first parcel (${f.tracking}) was left at my door today. What shall I do with it?`,
        (f) =>
          `Now I have two of them. ${f.carrier} delivered the old parcel after all, so how do I send it back?`,
      ],
      answer: [
        (f) =>
          `Thank you for being honest about it. Just hand the unopened box back to any ${f.carrier} driver; we have arranged it under ${f.tracking}.`,
        () =>
          'We will send you a prepaid label. There is no hurry, any day within the next two weeks is fine.',
      ],
    },
    {
      question: [
        (f) =>
          `Can I have the next order sent to a pick-up point? I would rather not rely on ${f.carrier} again.`,
        () => 'For the future: can I choose the carrier somewhere when I order?',
      ],
      answer: [
        (f) =>
          `I have set your account to prefer a pick-up point in ${f.city}. You can change it with any order.`,
        () =>
          'You can: below the address there is a choice called "Delivery", with pick-up points and two other carriers.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `tracking-${f.order}.png` }
      : undefined,
})
