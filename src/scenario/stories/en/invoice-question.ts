import { DAY } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { formatDate } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { drawCurrency, formatMoney } from './facts/money.js'

const PROBLEMS = [
  {
    claim: 'it is made out to a department that no longer exists',
    wish: 'Please have it made out to our head office instead',
    remedy: 'The new one is made out to your head office',
  },
  {
    claim: 'our purchase order number is missing',
    wish: 'Please add it, as our system rejects invoices without one',
    remedy: 'The new one carries your purchase order number',
  },
  {
    claim: 'the delivery charge appears on it twice',
    wish: 'Please take one of them off',
    remedy: 'The new one has the delivery charge once, and the total is lower by that much',
  },
  {
    claim: 'the VAT number on it is our old one',
    wish: 'Please put the number from our last order on it',
    remedy: 'The new one shows your current VAT number',
  },
  {
    claim: 'the quantities do not match our delivery note',
    wish: 'Please compare it with your own papers',
    remedy: 'The new one agrees with the delivery note, line by line',
  },
] as const

/** Accounts payable has a question about an invoice. */
export const invoiceQuestion = conversation({
  name: 'invoice-question',
  category: 'support',
  weight: 7,
  facts: (random, setting) => ({
    invoice: numberOfYear('INV', random, setting.begins),
    amount: formatMoney(random.integer(9_000, 480_000), drawCurrency(random)),
    issued: formatDate(setting.begins - random.integer(4, 20) * DAY),
    purchaseOrder: `PO ${random.integer(40_000, 99_999)}`,
    firm: drawEmployer(random).name,
    role: drawRole(random),
    ...random.pick(PROBLEMS),
  }),
  subject: [
    (f) => `Question about invoice ${f.invoice}`,
    (f) => `Invoice ${f.invoice}`,
    (f) => `${f.invoice}: correction needed`,
    (f) => `${f.firm} / your invoice ${f.invoice}`,
  ],
  opening: [
    (f) => [
      `We have received your invoice ${f.invoice} of ${f.issued} for ${f.amount}. Unfortunately ${f.claim}.`,
      `${f.wish}. Our own reference is ${f.purchaseOrder}.`,
    ],
    (f) => `Re invoice ${f.invoice} (${f.amount}): ${f.claim}. ${f.wish}. We cannot pay it as it is.`,
    (f) => [
      `I am going through the open items for ${f.firm} and have a question about ${f.invoice}.`,
      `If I read it correctly, ${f.claim}. Or am I missing something? The amount is ${f.amount}, our reference ${f.purchaseOrder}.`,
    ],
    (f) => [
      `This is the second month in a row that I have to send an invoice back. This time it is ${f.invoice}, and ${f.claim}.`,
      `${f.wish}. The payment run is on Thursday, whatever misses it waits for two weeks.`,
    ],
    (f) => [
      `Could somebody in accounts have a look at ${f.invoice}, dated ${f.issued}?`,
      `${f.wish}: ${f.claim}. I will hold the payment until I hear from you.`,
    ],
  ],
  answer: [
    (f) => [
      `Thank you for your message. I have looked at ${f.invoice} and you are right.`,
      `Before I issue a new one, may I ask you to confirm the reference ${f.purchaseOrder} and the address for ${f.firm}?`,
    ],
    (f) => [
      `I have put ${f.invoice} on hold, so no reminder will go out.`,
      `Our accounts department will correct it. Is ${f.purchaseOrder} the only reference it needs?`,
    ],
    (f) =>
      `You are right about ${f.invoice}, and I apologize for the extra work. Is ${f.purchaseOrder} the right reference, and shall the new invoice go straight to you?`,
  ],
  reaction: [
    (f) => `${f.purchaseOrder} is correct. Sending it to me is fine, I will pass it on.`,
    (f) => [`Yes, please use ${f.purchaseOrder}.`, 'Everything else can stay as it is on our last invoice.'],
    () =>
      'Correct. Do I need the original cancelled, or does the new one replace it? Our auditors ask every year.',
  ],
  solution: [
    (f) => [
      `${f.invoice} has been cancelled and replaced. ${f.remedy}.`,
      'The term of payment starts again from today.',
    ],
    (f) =>
      `The corrected version of ${f.invoice} is in your account under "Invoices", together with a credit note for the old one. ${f.remedy}.`,
    (f) => [
      `All done. ${f.remedy}.`,
      `The number stays ${f.invoice}, with the letter B behind it, and it replaces the first one.`,
    ],
  ],
  thanks: [
    (f) => `Received, booked and released for payment. Thank you from all of us at ${f.firm}.`,
    (f) => `Thank you, the new ${f.invoice} went through without a murmur.`,
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        () =>
          'Could we get our invoices as one per month in the future? It would halve the work on both sides.',
        () => 'Is there a way to have all invoices sent to our accounts mailbox automatically?',
      ],
      answer: [
        () => 'Yes, I have set that up for your account. It takes effect with the next billing period.',
        (f) =>
          `We can do that for ${f.firm}. I have made the change, and you can undo it under "Billing" at any time.`,
      ],
    },
    {
      question: [
        (f) =>
          `We paid ${f.amount} last week. Can you see it already? The portal still lists ${f.invoice} as open.`,
        () => 'A reminder came today, although we have paid. Did the two cross?',
      ],
      answer: [
        (f) => `The payment for ${f.invoice} is here, thank you. The portal is updated overnight.`,
        () =>
          'Your payment is here and the account is balanced. Whatever still says otherwise can be ignored.',
      ],
    },
  ],
  titles: (f) => `${f.role}, ${f.firm}`,
  attachment: (f, index) =>
    index === 0 || index === 3 ? { fixture: 'invoice.pdf', filename: `${f.invoice}.pdf` } : undefined,
})
