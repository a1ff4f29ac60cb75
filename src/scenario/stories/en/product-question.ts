import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { drawPurchase } from './facts/purchase.js'

const QUESTIONS = [
  {
    ask: 'how long the guarantee runs',
    direct: 'How long does the guarantee run?',
    told: 'The guarantee runs for three years, parts and labour',
  },
  {
    ask: 'whether one can get spare parts for it',
    direct: 'Can one get spare parts for it?',
    told: 'Every part can be had on its own, for at least ten years',
  },
  {
    ask: 'where it is made',
    direct: 'Where is it made?',
    told: 'It is assembled in Portugal, from parts that mostly come from Europe',
  },
  {
    ask: 'whether it comes ready to use or in pieces',
    direct: 'Does it come ready to use or in pieces?',
    told: 'It comes ready to use, apart from the packaging',
  },
  {
    ask: 'whether the lighter colour shows every mark',
    direct: 'Does the lighter colour show every mark?',
    told: 'The lighter one marks a little more, but it wipes clean with a damp cloth',
  },
  {
    ask: 'how heavy the parcel is, as I live on the fourth floor',
    direct: 'How heavy is the parcel? I live on the fourth floor.',
    told: 'The parcel can be carried by one person, and the drivers do bring it up',
  },
] as const

/** A question before buying. */
export const productQuestion = conversation({
  name: 'product-question',
  category: 'sales',
  weight: 5,
  facts: (random, setting) => {
    const { item, price, city } = drawPurchase(random, setting)
    return { item, price, city, ...random.pick(QUESTIONS), article: `A-${random.integer(10_000, 99_999)}` }
  },
  subject: [
    (f) => `Question about the ${f.item}`,
    (f) => `${f.item} (${f.article})`,
    (f) => `Before I order: ${f.item}`,
    (f) => `Article ${f.article}, a question`,
  ],
  opening: [
    (f) => [
      `I am thinking about buying the ${f.item}, article ${f.article}. Could you tell me ${f.ask}?`,
      'The product page does not say.',
    ],
    (f) => `Quick question on ${f.article} (${f.item}). ${f.direct} Thx.`,
    (f) => [
      `My friend in ${f.city} has the ${f.item} and won't stop talking about it, so now I want one too.`,
      `Before I spend ${f.price} I would like to know ${f.ask}. It is article ${f.article}, if I have copied that correctly.`,
    ],
    (f) => [
      `I asked this in your chat yesterday and was cut off. I want to know ${f.ask}.`,
      `It is about the ${f.item}, number ${f.article}.`,
    ],
    (f) => [
      `We are comparing three models and yours, the ${f.item} (${f.article}), is one of them.`,
      `What I could not find out is ${f.ask}. Can you help?`,
    ],
  ],
  answer: [
    (f) => [
      `A good question. ${f.told}.`,
      `Is there anything else you would like to know about the ${f.item}?`,
    ],
    (f) => [
      `Thank you for your interest in ${f.article}. ${f.told}.`,
      'I have asked for it to be added to the product page, since you are not the first to wonder.',
    ],
    (f) => `I went to look at one on the shelf to be sure. ${f.told}. I hope that helps.`,
  ],
  reaction: [
    (f) =>
      `That's what I hoped to hear. Do you have one in stock? I'd need it in ${f.city} within two weeks.`,
    (f) => `Thanks for the quick answer. Then one more: does ${f.price} include delivery to ${f.city}?`,
    () => 'Helpful, thank you. And may I send it back if it turns out not to be right for us?',
  ],
  solution: [
    (f) => [
      `We have a handful left. ${f.price} includes delivery to ${f.city}, which takes three to five working days.`,
      'And you can return it within thirty days if it is not right for you.',
    ],
    (f) =>
      `It is in stock, delivery to ${f.city} is included in the ${f.price}, and you have thirty days to change your mind.`,
    (f) => [
      `Delivery to ${f.city} is free and takes less than a week, and for sending it back you have thirty days.`,
      `I can put one ${f.item} aside for you until Friday.`,
    ],
  ],
  thanks: [
    (f) => `Convinced. I have just ordered the ${f.item}.`,
    () => 'Thank you, I will talk it over at home tonight and then most likely order.',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) => `The ${f.item} is here and I am very pleased with it. How do I look after it best?`,
        (f) => `Is there a cover or a case that fits the ${f.item}?`,
      ],
      answer: [
        () =>
          'A dry cloth and a place out of the sun are all it needs. What goes with it is listed at the foot of its page.',
        (f) => `Type ${f.article} into the search box: it shows the care instructions and what fits.`,
      ],
    },
    {
      question: [
        (f) => `I see the ${f.item} costs less than ${f.price} now. Is that a new model?`,
        () => 'Will you have a sale before the summer? I might get a second one.',
      ],
      answer: [
        () =>
          'It is the same model. Prices move a little with the season, and there is no fixed date for a sale.',
        (f) => `Sales are announced in the newsletter first. The ${f.item} has usually been part of them.`,
      ],
    },
  ],
})
