import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { drawProduct } from './facts/products.js'
import { drawPurchase } from './facts/purchase.js'

/** A parcel with one of two things in it. */
export const missingItem = conversation({
  name: 'missing-item',
  category: 'support',
  weight: 5,
  facts: (random, setting) => {
    const purchase = drawPurchase(random, setting)
    const { item } = drawProduct(random, setting.company)
    const missing = item === purchase.item ? `second ${item}` : item
    return { ...purchase, missing, grams: random.integer(8, 60) * 50 }
  },
  subject: [
    (f) => `Something missing from order ${f.order}`,
    (f) => `Order ${f.order} incomplete`,
    (f) => `No ${f.missing} in my parcel (${f.order})`,
    (f) => `${f.order}: only half of it arrived`,
  ],
  opening: [
    (f) => [
      `My parcel for order ${f.order} came on ${f.arrived}, but the ${f.missing} was not in it.`,
      `The ${f.item} was there. The packing slip lists both.`,
    ],
    (f) => `Order ${f.order} is incomplete. Got the ${f.item}, did not get the ${f.missing}. Please advise.`,
    (f) => [
      `I hope you can help. I ordered two things on ${f.ordered}, a ${f.item} and then also the ${f.missing}, and only the first one has come.`,
      `Does the rest of order ${f.order} follow in a separate parcel? Nothing in your messages said so.`,
    ],
    (f) => [
      `I have turned the box inside out and the ${f.missing} simply isn't there.`,
      `You did charge me for it, of course. Order ${f.order}.`,
    ],
    (f) =>
      `Just a short note about ${f.order}: your packer was in a hurry, I think. The ${f.missing} is on the slip with a tick next to it, yet all I found was the ${f.item} and a lot of paper.`,
  ],
  answer: [
    (f) => [
      `I am sorry about that. I can see that order ${f.order} was meant to go out as one parcel.`,
      'Could you look on the label for the weight printed there? It tells us whether the mistake was made here or on the way.',
    ],
    (f) => [
      `Thank you for checking so carefully. The ${f.missing} was picked according to our list, so I have asked the warehouse to count.`,
      'If you still have the label, please tell me the weight on it, in grams.',
    ],
    (f) =>
      `Apologies. Nothing else is on its way under ${f.order}, so it must have stayed behind. What weight does the label show?`,
  ],
  reaction: [
    (f) => `The label says ${f.grams} g. I hope that tells you something, it tells me nothing.`,
    (f) => [
      `${f.grams} g, it is printed in the corner.`,
      `I do need the ${f.missing} soon, so please don't make this a long story.`,
    ],
    (f) => `Found the label in the bin: ${f.grams} g. So can you send the ${f.missing} now?`,
  ],
  solution: [
    (f) => [
      `That settles it: ${f.grams} g is too light for both, so we forgot it. I am sorry.`,
      `The ${f.missing} goes out to ${f.street}, ${f.city} today, and the delivery charge of the order is on its way back to you.`,
    ],
    (f) =>
      `With ${f.grams} g it cannot have been in the box. The ${f.missing} is packed and leaves with tonight's van, free of charge.`,
    (f) => [
      `The warehouse has counted too, and there is one ${f.missing} more on the shelf than there should be. It is yours.`,
      'It will be with you in two to three working days.',
    ],
  ],
  thanks: [
    (f) => `The ${f.missing} is here. Thank you for owning up to it, that is rare.`,
    () => 'Complete at last. Thanks!',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) => `Today another parcel came, with one more ${f.item} in it. I did not order that, did I?`,
        (f) => `My account says order ${f.order} is still "partly delivered". Does that matter?`,
      ],
      answer: [
        () =>
          'You did not; somebody here meant too well. Please leave it closed, and we will have it fetched at our cost.',
        () =>
          'It does not matter. The order is complete in our records, the page just needs a day to notice.',
      ],
    },
    {
      question: [
        () => 'After all that, could I have the delivery charge back? I cannot find it on my statement.',
        (f) =>
          `Could you tell me what I paid for the ${f.item} alone? I am splitting the bill with a friend.`,
      ],
      answer: [
        () => 'Of course. It has gone back to the card you paid with, and it can take a few days to show.',
        (f) => `For your sums: ${f.price} for the ${f.item}, and nothing for delivery, since we refunded it.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `packing-slip-${f.order}.png` }
      : undefined,
})
