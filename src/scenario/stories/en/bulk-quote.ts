import { DAY, workdayAfter } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { plainFarewells } from './closing-words.js'
import { conversation } from './english.js'
import { formatDay } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { drawCurrency, formatMoney } from './facts/money.js'
import { drawCity } from './facts/places.js'
import { drawProduct } from './facts/products.js'

const OCCASIONS = [
  'for a new office that opens next month',
  'as presents for our staff',
  'for the rooms we are refitting',
  'for a trade fair',
  'to replace what we have, all of it ten years old',
] as const

const DISCOUNTS = [8, 10, 12, 15] as const

/** A firm asks for a price for many. */
export const bulkQuote = conversation({
  name: 'bulk-quote',
  category: 'sales',
  weight: 4,
  facts: (random, setting) => {
    const { item, cents } = drawProduct(random, setting.company)
    const currency = drawCurrency(random)
    const quantity = random.integer(4, 60) * 5
    const percent = random.pick(DISCOUNTS)
    const unit = Math.round((cents * (100 - percent)) / 100)
    return {
      item,
      quantity,
      percent,
      unit: formatMoney(unit, currency),
      total: formatMoney(unit * quantity, currency),
      quote: numberOfYear('Q', random, setting.begins),
      occasion: random.pick(OCCASIONS),
      city: drawCity(random),
      firm: drawEmployer(random).name,
      role: drawRole(random),
      needed: formatDay(workdayAfter(setting.begins + random.integer(18, 40) * DAY)),
    }
  },
  subject: [
    (f) => `Quote for ${f.quantity} x ${f.item}`,
    (f) => `Price request, ${f.quantity} pieces`,
    (f) => `${f.firm}: request for a quote`,
    (f) => `${f.item}, ${f.quantity} pieces: is there a volume discount?`,
  ],
  opening: [
    (f) => [
      `We need ${f.quantity} pieces of your ${f.item} ${f.occasion}. What could you offer us?`,
      `Delivery would be to ${f.city}, by ${f.needed} at the latest.`,
    ],
    (f) =>
      `Please quote for ${f.quantity} x ${f.item}, delivered to ${f.city} by ${f.needed}. Terms: 30 days net.`,
    (f) => [
      `I work for ${f.firm}, and we are looking for something like your ${f.item} ${f.occasion}.`,
      `We would take ${f.quantity}. Is there a better price for that many, and could you deliver to ${f.city} before ${f.needed}?`,
    ],
    (f) => [
      `I am collecting three offers and yours is the first I ask for: ${f.quantity} pieces of the ${f.item}, ${f.occasion}.`,
      `Please state the unit price, the delivery charge to ${f.city} and how long the offer stands. We need them by ${f.needed}.`,
    ],
    (f) => [
      `One of us bought a single ${f.item} from you last year and it has survived us so far, which is saying something.`,
      `Now ${f.firm} would like ${f.quantity} of them, ${f.occasion}. What is your best price, delivered to ${f.city} by ${f.needed}?`,
    ],
  ],
  answer: [
    (f) => [
      `Thank you for your enquiry. For ${f.quantity} pieces we can offer ${f.percent} % off, that is ${f.unit} each and ${f.total} in all.`,
      `Delivery to ${f.city} is included. The quote has the number ${f.quote} and stands for thirty days.`,
    ],
    (f) => [
      `We would be glad to supply ${f.firm}. My quote ${f.quote}: ${f.quantity} x ${f.item} at ${f.unit}, total ${f.total}, delivered.`,
      `Stock is no problem; ${f.needed} can be kept if we hear from you in time.`,
    ],
    (f) =>
      `Happy to. At ${f.quantity} pieces the price goes down by ${f.percent} % to ${f.unit}, so ${f.total} altogether, delivery to ${f.city} included. Please refer to ${f.quote} when you order.`,
  ],
  reaction: [
    (f) =>
      `Thank you for ${f.quote}. The price is a little above what we had planned. Is there any room if we pay within ten days?`,
    (f) => [
      `${f.unit} is fine. My manager asks whether we could have half of them now and half a month later.`,
      'Would that change the price?',
    ],
    (f) => `That looks good. Could you send one ${f.item} ahead as a sample? We decide next week.`,
  ],
  solution: [
    (f) => [
      `That can be arranged, and ${f.quote} stays otherwise as it is.`,
      'I have noted it on the quote. Once you confirm, we reserve the goods for you.',
    ],
    (f) =>
      `I have talked to our warehouse and to the person who minds the margins: yes. Please confirm ${f.quote} by mail and I will take care of the rest.`,
    (f) => [
      `We can do that for you.`,
      `I have changed the quote accordingly. All I need is a short "yes" to ${f.quote}.`,
    ],
  ],
  thanks: [
    (f) => `Consider this our order, then: ${f.quote}, ${f.quantity} pieces. Thank you for being flexible.`,
    (f) => `Yes to ${f.quote}. The purchase order from ${f.firm} follows separately.`,
    (f) =>
      `Agreed. Please reserve all ${f.quantity} for us under ${f.quote}, and thank you for the fast answers.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) => `Could we go from ${f.quantity} to ${f.quantity + 10} without starting over? We miscounted.`,
        (f) => `Could ten of the ${f.quantity} go to another address, our branch across the river?`,
      ],
      answer: [
        () => 'No trouble at all, I have changed it. The price for each stays the same.',
        (f) => `That is possible until the goods are packed, so yes. I have added it to ${f.quote}.`,
      ],
    },
    {
      question: [
        () => 'Who is our contact on the day of delivery? The gate needs a name.',
        (f) => `Our porter asks how many pallets ${f.quantity} of them make.`,
      ],
      answer: [
        (f) =>
          `Please tell them to expect one lorry with a tail lift, and give them ${f.company} as the name and ${f.quote} as the reference.`,
        () =>
          'It will be two pallets at most. The driver calls half an hour ahead, and this mailbox is the contact.',
      ],
    },
  ],
  titles: (f) => `${f.role}, ${f.firm}`,
  attachment: (f, index) =>
    index === 0 || index === 4
      ? { fixture: 'orders.csv', filename: `request-${f.quantity}-pieces.csv` }
      : undefined,
})
