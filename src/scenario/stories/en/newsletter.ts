import { DAY } from '../facts/calendar.js'
import { announcement } from './english.js'
import { formatDay, formatMonth } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { drawCity } from './facts/places.js'

const THEMES = [
  {
    title: 'Small workshops, long days',
    teaser: 'We visited three people who still mend what others throw away.',
  },
  {
    title: 'What our readers keep on their desks',
    teaser: 'You sent us two hundred photos. These are the nine we argued about.',
  },
  {
    title: 'A short history of the parcel',
    teaser: 'It begins with string, and string comes back at the end.',
  },
  {
    title: 'Buying less, choosing better',
    teaser: 'Four questions to ask before anything goes into the basket.',
  },
  { title: 'The quiet season', teaser: 'Why this is the best time of the year to plan the next one.' },
] as const
const OFFERS = [
  'free delivery until the end of the month',
  'a notebook with every order',
  'ten per cent off the second item',
  'an evening sale for readers only',
] as const

/** A shop's letter to its readers. */
export const newsletter = announcement({
  name: 'newsletter',
  category: 'newsletters',
  weight: 4,
  colour: '#2f5d50',
  html: 1,
  htmlOnly: 0.12,
  facts: (random, setting) => ({
    ...random.pick(THEMES),
    offer: random.pick(OFFERS),
    shop: drawShop(random),
    city: drawCity(random),
    issue: random.integer(12, 190),
    month: formatMonth(setting.begins),
    evening: formatDay(setting.begins + random.integer(6, 20) * DAY),
    reader: random.integer(100_000, 999_999),
  }),
  from: (f) => ({ name: f.shop.name, address: `letters@${f.shop.domain}` }),
  subject: [
    (f) => `${f.title} | ${f.shop.name} letter no. ${f.issue}`,
    (f) => `${f.shop.name} in ${f.month}: ${f.title.toLowerCase()}`,
    (f) => `No. ${f.issue}: ${f.offer}`,
    (f) => `${f.month} at ${f.shop.name}`,
  ],
  first: [
    (f) => [
      { heading: f.title },
      `Dear reader, this is letter no. ${f.issue}. ${f.teaser}`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'Read the whole story' },
      { heading: 'In the shop this month' },
      `Our present to readers in ${f.month}: ${f.offer}. You need no code, just sign in with this address.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `Hello from ${f.city}` },
      `${f.month} has been busy. ${f.teaser} That, and ${f.offer}, is what letter no. ${f.issue} is about.`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: `"${f.title}"` },
      `On ${f.evening} we keep the shop in ${f.city} open until nine. There will be soup.`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `${f.shop.name}, ${f.month}` },
      {
        rows: [
          ['Letter', `no. ${f.issue}`],
          ['Main story', f.title],
          ['For readers', f.offer],
        ],
      },
      f.teaser,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'Open the letter' },
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: 'Three minutes of reading' },
      `1. ${f.title}. ${f.teaser}`,
      `2. From the archive of ${f.shop.name}: the piece you opened most last year.`,
      `3. In ${f.month} there is ${f.offer}. Letter no. ${f.issue} tells you how.`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'Begin with the first' },
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'A correction' },
        `In letter no. ${f.issue} a link led to the wrong page. This one is right, and we have made tea for whoever noticed first.`,
        { link: `https://${f.shop.domain}/letters/${f.issue}`, label: f.title },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'In case you missed it' },
        `Some days ago we wrote to you about "${f.title}". The offer still stands: ${f.offer}.`,
        { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'Have another look' },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'Your answers' },
        `Letter no. ${f.issue} brought us more replies than any other this year. We have put the best of them online, first names only.`,
        { link: `https://${f.shop.domain}/letters/${f.issue}/replies`, label: 'Read what others wrote' },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'logo.png', filename: `header-${f.issue}.png` } : undefined,
})

function unsubscribe(shop: string, domain: string, reader: number) {
  return {
    small: `You receive this letter because you asked ${shop} for it. To leave the list: https://${domain}/leave?reader=${reader}`,
  }
}
