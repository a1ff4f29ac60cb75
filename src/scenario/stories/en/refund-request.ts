import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { drawCarrier } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'

const REASONS = [
  'it is a good deal smaller than the pictures suggest',
  'the colour is nothing like the photo',
  'my sister had already bought us the same one',
  'it does not fit the place I had in mind for it',
  'it feels flimsier than I expected at this price',
  'I found that we no longer need it',
] as const

const DAYS = ['three', 'four', 'five'] as const

/** A customer sends something back and wants the money. */
export const refundRequest = conversation({
  name: 'refund-request',
  category: 'support',
  weight: 9,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    reason: random.pick(REASONS),
    carrier: drawCarrier(random),
    returnNumber: `R-${random.integer(10_000, 99_999)}`,
    days: random.pick(DAYS),
  }),
  subject: [
    (f) => `Refund for order ${f.order}`,
    (f) => `I would like to return my ${f.item} (${f.order})`,
    (f) => `Return and refund, order ${f.order}`,
    (f) => `${f.order} - money back please`,
  ],
  opening: [
    (f) => [
      `I would like to return the ${f.item} from order ${f.order}. It arrived on ${f.arrived}, and ${f.reason}.`,
      `It is unused and in its box. How do I get my ${f.price} back?`,
    ],
    (f) => `Please refund order ${f.order} (${f.item}, ${f.price}). The reason: ${f.reason}.`,
    (f) => [
      `First of all, the delivery was quick and the packaging lovely. But I am afraid the ${f.item} isn't for us: ${f.reason}.`,
      `Would you take it back? The order number is ${f.order}. I have kept all of the wrapping, my cat has only slept in the box once.`,
    ],
    (f) => [
      `I have been trying to find out on your site how to send something back and have given up.`,
      `Order ${f.order}, delivered ${f.arrived}. I don't want the ${f.item} because ${f.reason}. What now?`,
    ],
    (f) => [
      `The ${f.item} is going back, ${f.reason}.`,
      `I want the full ${f.price}, not a voucher, and I do not want to wait weeks for it. Order ${f.order}.`,
    ],
  ],
  answer: [
    (f) => [
      `No problem at all, you have thirty days. I have opened return ${f.returnNumber} for the ${f.item}.`,
      `Please write that number on the box and hand it in at any ${f.carrier} shop; postage is paid. The ${f.price} goes back to you once it is here.`,
    ],
    (f) => [
      `I am sorry it did not work out. Your return number for order ${f.order} is ${f.returnNumber}.`,
      `${f.carrier} can collect it from ${f.street}, or you drop it off, whichever you prefer. Both are free for you.`,
    ],
    (f) =>
      `Of course. Pack the ${f.item} as it came, put ${f.returnNumber} on the outside, and take it to a ${f.carrier} counter. We refund the full ${f.price} the day it reaches us.`,
  ],
  reaction: [
    (f) => `Dropped it off at the ${f.carrier} counter in ${f.city} yesterday. When can I expect the money?`,
    (f) => [
      `The parcel went back last week with ${f.returnNumber} on it, and I kept the slip.`,
      `So far I cannot see the refund on my account. Could you check?`,
    ],
    (f) =>
      `It's on its way, ${f.returnNumber} written on two sides to be safe. Will the refund go to the card I paid with?`,
  ],
  solution: [
    (f) => [
      `Your parcel is here and everything is in order. I have just released the refund of ${f.price}.`,
      `It goes to the card you paid with and usually shows up in ${f.days} working days.`,
    ],
    (f) =>
      `Good news: return ${f.returnNumber} was checked in this morning, and ${f.price} is on its way to the card you used. Banks take up to ${f.days} working days.`,
    (f) => [
      `The ${f.item} came back in perfect condition, thank you for packing it so well.`,
      `We have refunded ${f.price} in full. Please give your bank ${f.days} working days to book it.`,
    ],
  ],
  thanks: [
    (f) => `The ${f.price} arrived today. Thank you, that was painless.`,
    () => 'Money is back on my card. Thanks!',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) => `For my records, could I get something in writing that says order ${f.order} was refunded?`,
        (f) => `My bank calls the payment "misc. credit". Can you confirm that the ${f.price} was yours?`,
      ],
      answer: [
        (f) =>
          `Gladly: order ${f.order} was refunded in full, ${f.price}, under return ${f.returnNumber}. A credit note is in your account under "Orders".`,
        (f) =>
          `Confirmed: the ${f.price} came from us and belongs to order ${f.order}, return ${f.returnNumber}. Please keep this message as proof.`,
      ],
    },
    {
      question: [
        (f) =>
          `Having said all that, is there something similar to the ${f.item} you would recommend instead?`,
        () => 'If I order something else from you, do the thirty days start again?',
      ],
      answer: [
        () =>
          'Have a look at the page of the one you returned: the two suggestions at the bottom are what most people take instead. Thirty days apply to each order.',
        () => 'Every order has its own thirty days, counted from the day it reaches you.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2 ? { fixture: 'receipt.pdf', filename: `receipt-${f.order}.pdf` } : undefined,
})
