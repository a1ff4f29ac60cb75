import type { Random } from '../../../world/random.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { drawFittedProduct } from './facts/products.js'
import { drawOrder } from './facts/purchase.js'

/** Chooses a size and the neighbouring one that would fit. */
function drawMisfit(random: Random, sizes: readonly string[]) {
  const smaller = random.integer(0, sizes.length - 2)
  const tooSmall = random.chance(0.6)
  return {
    size: sizes[tooSmall ? smaller : smaller + 1] as string,
    wanted: sizes[tooSmall ? smaller + 1 : smaller] as string,
    misfit: tooSmall ? 'too small' : 'too big',
    direction: tooSmall ? 'up' : 'down',
  }
}

/** Something that fits in another size. */
export const wrongSizeExchange = conversation({
  name: 'wrong-size-exchange',
  category: 'support',
  weight: 6,
  facts: (random, setting) => {
    const { item, cents, sizes } = drawFittedProduct(random, setting.company)
    return { item, ...drawOrder(random, setting, cents), ...drawMisfit(random, sizes) }
  },
  subject: [
    (f) => `Exchange for another size, order ${f.order}`,
    (f) => `${f.item} is ${f.misfit} (${f.order})`,
    (f) => `Can I swap ${f.size} for ${f.wanted}? Order ${f.order}`,
    (f) => `Wrong size: ${f.order}`,
  ],
  opening: [
    (f) => [
      `The ${f.item} I ordered in ${f.size} is ${f.misfit}. Could I exchange it for ${f.wanted}?`,
      `Order ${f.order}, arrived ${f.arrived}. I have only tried it once.`,
    ],
    (f) => `Order ${f.order}: need ${f.wanted} instead of ${f.size}. It's ${f.misfit}. How do we do this?`,
    (f) => [
      `I should have looked at your size table before ordering, my mistake. The ${f.item} is lovely but ${f.misfit} in ${f.size}.`,
      `Do you have it in ${f.wanted}? The order number is ${f.order}, and I'm happy to pay the postage.`,
    ],
    (f) => [
      `According to your size guide ${f.size} should have been right. It is not, the ${f.item} is clearly ${f.misfit}.`,
      `Please tell me how to get ${f.wanted} without paying for shipping twice. My order is ${f.order}.`,
    ],
    (f) => [
      `A quick one about order ${f.order}. I went for ${f.size} and it turns out to be ${f.misfit}, so I'd like to go one ${f.direction}, to ${f.wanted}.`,
      `If it's out of stock I would rather wait than get my money back.`,
    ],
  ],
  answer: [
    (f) => [
      `Of course. We have the ${f.item} in ${f.wanted} and I have put one aside for you.`,
      `Send ${f.size} back with the label in the box, please; the moment it is scanned, the other goes out.`,
    ],
    (f) => [
      `You are not the only one who went ${f.direction} a size with this one. ${f.wanted} is in stock.`,
      `The exchange is free. Please write ${f.order} on the return label so that it finds its way to me.`,
    ],
    (f) =>
      `No trouble at all: one ${f.item} in ${f.wanted} is reserved for ${f.firstName} ${f.lastName}. Use the return label that came with order ${f.order}, and we swap them.`,
  ],
  reaction: [
    (f) => `There was no label in my box, only the packing slip for ${f.order}. Could you send me one?`,
    (f) => `Sent off this morning from ${f.city}. Can you tell me when ${f.wanted} will be on its way?`,
    () => 'It has been on its way back to you for a few days now. Has it turned up?',
  ],
  solution: [
    (f) => [
      `All settled: your exchange has been booked and the ${f.item} in ${f.wanted} leaves today.`,
      `It goes to ${f.street}, ${f.city}, as before. The driver brings a return label, in case you still need one.`,
    ],
    (f) =>
      `I did not want you to wait any longer, so ${f.wanted} is already on its way to you. For the other one the driver brings a label along; just hand it over.`,
    (f) => [
      `Thank you for your patience. The ${f.item} in ${f.wanted} was packed this morning.`,
      'Should the parcel and your return cross on the way, do not worry, our system expects both.',
    ],
  ],
  thanks: [
    (f) => `${f.wanted} it is! Fits perfectly, thank you.`,
    (f) => `The new ${f.item} came and it's just right. Thanks for the easy swap.`,
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `Could you add a line to your size guide that the ${f.item} runs ${f.direction === 'up' ? 'small' : 'large'}? It would save others the trip.`,
        () => 'Do your other things run the same way, or was it only this one?',
      ],
      answer: [
        (f) => `You are right, and a remark about going one ${f.direction} is on its way to the page.`,
        () =>
          'We have put a note on the product page. Most of the range is true to size, this one is the exception.',
      ],
    },
    {
      question: [
        (f) =>
          `I'd like a second ${f.item} in ${f.wanted} for my brother. Does the price of ${f.price} still hold?`,
        (f) => `Will the ${f.item} come in other colours this year?`,
      ],
      answer: [
        (f) => `${f.price} is the price until the end of the month, in every size we have.`,
        () => 'Two new colours are planned for the autumn, in every size.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'receipt.pdf', filename: `order-${f.order}.pdf` } : undefined,
})
