import { DAY, workdayAfter } from '../facts/calendar.js'
import { orderNumber, trackingNumber } from '../facts/order-number.js'
import { announcement } from './english.js'
import { formatDay } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { drawCarrier } from './facts/places.js'

/** What a shop sends the agent while a parcel is on its way. */
export const shippingNotice = announcement({
  name: 'shipping-notice',
  category: 'receipts',
  weight: 4,
  colour: '#205072',
  html: 0.9,
  htmlOnly: 0.25,
  facts: (random, setting) => {
    const shop = drawShop(random)
    return {
      shop,
      order: orderNumber(random, shop.name),
      tracking: trackingNumber(random),
      carrier: drawCarrier(random),
      pieces: random.integer(1, 3),
      due: formatDay(workdayAfter(setting.begins + random.integer(1, 4) * DAY)),
    }
  },
  from: (f) => ({ name: f.shop.name, address: `dispatch@${f.shop.domain}` }),
  subject: [
    (f) => `Your order ${f.order} is on its way`,
    (f) => `Dispatched: ${f.order}`,
    (f) => `${f.shop.name} parcel ${f.order}, expected ${f.due}`,
    (f) => `${f.carrier} has your parcel (${f.order})`,
  ],
  first: [
    (f) => [
      { heading: 'On its way' },
      `Your order ${f.order} left our warehouse today and should reach you on ${f.due}.`,
      {
        rows: [
          ['Carrier', f.carrier],
          ['Tracking number', f.tracking],
          ['Parcels', `${f.pieces}`],
        ],
      },
      { link: trackingLink(f.tracking), label: 'Follow your parcel' },
    ],
    (f) => [
      { heading: `Order ${f.order}` },
      `We have handed ${parcels(f.pieces)} for ${f.company} to ${f.carrier}. The number to follow is ${f.tracking}.`,
      `Expected on ${f.due}, between 8:00 and 18:00. Somebody should be there to sign.`,
      { link: trackingLink(f.tracking), label: 'Change the day' },
    ],
    (f) => [
      { heading: 'Packed, taped and gone' },
      `That was quick: order ${f.order} has just left ${f.shop.name}, ${parcels(f.pieces)} in all.`,
      {
        rows: [
          ['Expected', f.due],
          ['With', f.carrier],
          ['Tracking number', f.tracking],
        ],
      },
      { small: 'This message was sent by a machine that does not read replies.' },
    ],
    (f) => [
      `Dispatch confirmation for order ${f.order}.`,
      {
        rows: [
          ['Recipient', f.company],
          ['Carrier', f.carrier],
          ['Tracking', f.tracking],
          ['Due', f.due],
        ],
      },
      { link: trackingLink(f.tracking), label: 'Where is it now?' },
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'Out for delivery' },
        `Order ${f.order} is in the van. ${f.carrier} will be with you today.`,
        { link: trackingLink(f.tracking), label: 'See how many stops are left' },
      ],
      (f) => [
        { heading: 'A day late' },
        `We are sorry: ${f.carrier} tell us that ${f.tracking} needs one more day. Nothing for you to do.`,
        {
          rows: [
            ['Order', f.order],
            ['Parcels', `${f.pieces}`],
          ],
        },
      ],
    ],
    [
      (f) => [
        { heading: 'Delivered' },
        `${f.carrier} has delivered order ${f.order}. It was taken in at the front desk.`,
        {
          rows: [
            ['Tracking number', f.tracking],
            ['Parcels', `${f.pieces}`],
          ],
        },
      ],
      (f) => [
        { heading: 'Sorry we missed you' },
        `Nobody could take in order ${f.order}, so ${f.carrier} will try again on the next working day.`,
        { link: trackingLink(f.tracking), label: 'Choose another day' },
      ],
    ],
    [
      (f) => [
        { heading: 'Is everything there?' },
        `Order ${f.order} has been with you for some days. Should anything be missing or broken, tell us and quote ${f.tracking}.`,
        { small: `${f.shop.name} - https://${f.shop.domain}/help` },
      ],
    ],
  ],
})

function parcels(count: number): string {
  return count === 1 ? 'one parcel' : `${count} parcels`
}

function trackingLink(tracking: string): string {
  return `https://follow-a-parcel.example/${tracking}`
}
