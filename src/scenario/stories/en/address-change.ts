import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { drawCity, drawStreet } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'

const REASONS = [
  'We are moving house sooner than planned.',
  'I gave my old address out of habit.',
  'The old flat has been empty since last week.',
  'Our office has moved and nobody told the account.',
  'The street name was filled in wrongly by my browser and I did not notice.',
] as const

/** An order on its way to where the customer no longer is. */
export const addressChange = conversation({
  name: 'address-change',
  category: 'support',
  weight: 5,
  facts: (random, setting) => {
    const purchase = drawPurchase(random, setting)
    const newCity = drawCity(random)
    return {
      ...purchase,
      reason: random.pick(REASONS),
      newPlace: `${drawStreet(random)}, ${newCity}`,
      oldPlace: `${purchase.street}, ${purchase.city}`,
    }
  },
  subject: [
    (f) => `New delivery address for order ${f.order}`,
    (f) => `Please change the address, ${f.order}`,
    (f) => `Order ${f.order} is going to the wrong address`,
    (f) => `URGENT: wrong address on ${f.order}`,
  ],
  opening: [
    (f) => [
      `Could you please change the delivery address of order ${f.order}? ${f.reason}`,
      `Old: ${f.oldPlace}\nNew: ${f.newPlace}`,
    ],
    (f) =>
      `Order ${f.order} must not go to ${f.oldPlace}. ${f.reason} Send it to ${f.newPlace} instead, please.`,
    (f) => [
      `I hope this reaches you before the van does. ${f.reason}`,
      `Is it still possible to redirect the ${f.item} (order ${f.order}) to ${f.newPlace}?`,
    ],
    (f) => [
      `I have just noticed that the confirmation for ${f.order} shows ${f.oldPlace}. ${f.reason}`,
      `The right address is ${f.newPlace}. Your site will not let me change it any more.`,
    ],
    (f) => [
      `Small problem with the ${f.item} I ordered on ${f.ordered}, order ${f.order}. ${f.reason}`,
      `Can you have it delivered to ${f.newPlace}? Otherwise I would sooner cancel and order again.`,
    ],
  ],
  answer: [
    (f) => [
      `Thank you for writing in time. I have stopped order ${f.order} for the moment.`,
      `Before I change anything: please confirm the new address once more, ${f.newPlace}, and tell me whether invoices should go there too.`,
    ],
    (f) => [
      `We can do that. For safety I need a short confirmation from you, as the parcel is paid for and addressed already.`,
      `New destination: ${f.newPlace}. Is that right, and is it for this order only or for good?`,
    ],
    (f) =>
      `We caught it just in time. Shall I use ${f.newPlace} for order ${f.order} only, or for your whole account?`,
  ],
  reaction: [
    (f) => `Yes, ${f.newPlace} is correct. Please use it for everything from now on.`,
    () => 'Correct, and for this order only. The old address stays as it is.',
    (f) => [
      `Confirmed: ${f.newPlace}.`,
      'It is for this order only, and the invoices can stay where they are.',
    ],
  ],
  solution: [
    (f) =>
      `Done. Order ${f.order} now goes to ${f.newPlace} and leaves with the next collection. You will get a fresh confirmation shortly.`,
    (f) => [
      `The label for order ${f.order} has been printed anew, with ${f.newPlace} on it.`,
      'That costs you nothing, though it may cost the parcel a day.',
    ],
    (f) => `All set. The ${f.item} is off to ${f.newPlace}, and the driver has a note as well.`,
  ],
  thanks: [
    (f) => `It came to ${f.newPlace.split(',')[0]} without a hitch. Thank you.`,
    () => 'Phew. Thanks for catching it!',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) => `The catalogue still came to ${f.oldPlace}. Is that a different list?`,
        () =>
          'Your newsletter still has my old address at the bottom. Is that a different list from the one for orders?',
      ],
      answer: [
        () =>
          'It is, and I have changed it there as well. One more issue may already be on its way to the old place.',
        () => 'Two lists, yes, unfortunately. Both have the new address now.',
      ],
    },
    {
      question: [
        () => 'How do I add a second address to my account myself, so that I need not bother you next time?',
        (f) => `Up to which point can I change an address on my own? For ${f.order} the button was grey.`,
      ],
      answer: [
        () =>
          'Under "Addresses" you can keep as many as you like and choose one with each order. It works until the label is printed.',
        () => 'Until the order shows "being packed". After that, a message to us is the way, as you did.',
      ],
    },
  ],
})
