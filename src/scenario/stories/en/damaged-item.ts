import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { drawPurchase } from './facts/purchase.js'

const DAMAGES = [
  'there is a crack right across the underside',
  'one corner is crushed',
  'there is a deep scratch all along the front',
  'something inside has come loose and rattles',
  'a piece the size of my thumb has broken off',
] as const
const BOXES = [
  'The box itself looked fine from the outside.',
  'The box had been opened and taped up again.',
  'One side of the box was soaked.',
  'There was hardly any padding in the box.',
] as const

/** Something that arrives broken. */
export const damagedItem = conversation({
  name: 'damaged-item',
  category: 'support',
  weight: 8,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    damage: random.pick(DAMAGES),
    box: random.pick(BOXES),
  }),
  subject: [
    (f) => `${f.item} arrived damaged, order ${f.order}`,
    (f) => `Damaged on arrival: ${f.order}`,
    (f) => `Broken ${f.item} (${f.order})`,
    (f) => `Problem with order ${f.order}`,
  ],
  opening: [
    (f) => [
      `My ${f.item} came on ${f.arrived}, but ${f.damage}.`,
      `${f.box} The order number is ${f.order}. How do we go about this?`,
    ],
    (f) => `Unpacked order ${f.order} just now and ${f.damage}. ${f.box} I expect better for ${f.price}.`,
    (f) => [
      `I was really looking forward to the ${f.item} (order ${f.order}), which makes this a bit sad: ${f.damage}.`,
      `${f.box} I don't think it was anybody's fault at your end, but I can't use it like this.`,
    ],
    (f) => [
      `Order ${f.order}, delivered ${f.arrived}: ${f.damage}. ${f.box}`,
      `Please send a replacement. I can take photos if you need them.`,
    ],
    (f) => [
      `The parcel came on ${f.arrived}, but we only got round to opening it last night. The ${f.item} is damaged, ${f.damage}.`,
      `Are we too late to report it? It was order ${f.order}.`,
    ],
  ],
  answer: [
    (f) => [
      `I am sorry, that is a poor way for a ${f.item} to arrive. You have reported it well in time.`,
      `Would you like a replacement or your ${f.price} back? Either way, please keep the box until we have settled it.`,
    ],
    (f) => [
      `Thank you for telling us straight away. I have reported it to the carrier under order ${f.order}.`,
      'One photo of the damage and one of the label are all we need. Shall I send a new one?',
    ],
    (f) =>
      `That should not have left the house like that, or not have been thrown about on the way. Tell me which you prefer, a new ${f.item} or a refund of ${f.price}, and I will see to it today.`,
  ],
  reaction: [
    () => 'A new one, please. I have taken photos from three sides and kept the box.',
    (f) => `I'd rather have a replacement than the money. Same address, ${f.street} in ${f.city}.`,
    (f) => [
      `Replacement, please, but only if somebody checks it before it goes out.`,
      `And what do I do with the broken ${f.item}? It takes up half the hall.`,
    ],
  ],
  solution: [
    (f) => [
      `A new ${f.item} leaves us today for ${f.street}, ${f.city}, and a colleague has looked it over first.`,
      'You need not send the damaged one back. Please recycle it once the new one is there.',
    ],
    (f) => [
      `Done: the replacement for order ${f.order} is packed, in a stronger box this time, and will reach you within three working days.`,
      'The driver can take the damaged one along if you hand it over in its carton.',
    ],
    () =>
      `Thank you. I have ordered the replacement and marked it as fragile. There is nothing to pay, and the old one is yours to dispose of.`,
  ],
  thanks: [
    (f) => `The new ${f.item} is here and it is flawless. Thank you!`,
    () => 'Replacement arrived, all good this time. Thanks for not making a fuss.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `A thought about packaging: the ${f.item} moves about in that carton. A bit of paper on the sides would do.`,
        () =>
          'If it helps you, the damage was on the side with the big arrow on the carton. Maybe it was stood upside down?',
      ],
      answer: [
        () => 'That is useful, thank you. I have passed it on to the people who pack.',
        () =>
          'Good point. The warehouse lead has asked me to say thanks, they will try it with the next batch.',
      ],
    },
    {
      question: [
        (f) =>
          `Does the guarantee for the ${f.item} count from ${f.arrived} or from the day the new one came?`,
        () => 'Do I need a new invoice for the replacement, for the guarantee?',
      ],
      answer: [
        () => 'It counts from the day the new one was delivered, and our records show both.',
        (f) =>
          `The guarantee starts with the replacement. Order ${f.order} is enough as proof, no new invoice needed.`,
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `damage-${f.order}-${index + 1}.png` }
      : undefined,
})
