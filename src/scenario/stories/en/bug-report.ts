import { DAY } from '../facts/calendar.js'
import { ticketNumber } from '../facts/order-number.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'
import { formatDay } from './facts/dates.js'

const PLACES = [
  'the order history',
  'the returns list',
  'the address book',
  'the wish list',
  'the invoice overview',
  'the parcel overview',
] as const
const SYMPTOMS = [
  'stays blank',
  'keeps loading and never finishes',
  'jumps back to the start page',
  'shows the data of last month',
  'only works every other time',
] as const
const DEVICES = ['my laptop', 'my phone', 'a tablet', 'both computers in the office'] as const

/** Something on the company's site that does not work. */
export const bugReport = conversation({
  name: 'bug-report',
  category: 'support',
  weight: 6,
  facts: (random, setting) => ({
    place: random.pick(PLACES),
    symptom: random.pick(SYMPTOMS),
    device: random.pick(DEVICES),
    since: formatDay(setting.begins - random.integer(1, 6) * DAY),
    code: `E-${random.integer(1_000, 9_999)}`,
    ticket: ticketNumber(random),
    rows: random.integer(130, 2_400),
  }),
  subject: [
    (f) => `Error ${f.code} in ${f.place}`,
    (f) => `Bug: ${f.place} ${f.symptom}`,
    (f) => `${f.code} since ${f.since}`,
    (f) => `Something is wrong with ${f.place}`,
  ],
  opening: [
    (f) => [
      `Since ${f.since} ${f.place} on your site ${f.symptom}. At the bottom of the page it says ${f.code}.`,
      `I see it on ${f.device}. I can send a screenshot if you want one.`,
    ],
    (f) => [
      `Steps: 1. sign in, 2. open ${f.place}, 3. wait.\nExpected: my data.\nActual: it ${f.symptom}, error ${f.code}.`,
      `First seen ${f.since}, on ${f.device}. Happens every time after lunch, less often in the morning, which may be a coincidence.`,
    ],
    (f) => `${f.code} again. Open ${f.place} and it ${f.symptom}. Is anybody looking at this?`,
    (f) => [
      `I like your site a lot, which is why I bother to write. Lately ${f.place} ${f.symptom} when I open it on ${f.device}, with a small ${f.code} in the corner.`,
      `It is not dramatic, I just thought you would want to know.`,
    ],
    (f) => [
      `We rely on ${f.place} for our month end, and since ${f.since} it ${f.symptom} (${f.code}).`,
      'Please tell me whether this will be mended by Friday or whether we should do it by hand.',
    ],
  ],
  answer: [
    (f) => [
      `Thank you for the clear report. I have passed it to our developers as ${f.ticket}.`,
      `They ask how many entries you have in ${f.place}, roughly. ${f.code} often has to do with size.`,
    ],
    (f) => [
      `You are the third person to report ${f.code} this week, so it is not your equipment.`,
      `To narrow it down: about how many entries does ${f.place} hold for you? Your ticket is ${f.ticket}.`,
    ],
    (f) =>
      `I tried ${f.place} myself and cannot make it fail, which usually means that it depends on the amount of data. How many entries do you have there? I am collecting this under ${f.ticket}.`,
  ],
  reaction: [
    (f) => `About ${f.rows}, I'd say. It was fine when there were fewer.`,
    (f) => [
      `${f.rows} entries, if the counter is right.`,
      `By the way, if I filter by this year, ${f.code} goes away.`,
    ],
    (f) =>
      `Roughly ${f.rows}. A colleague with only a handful has no trouble at all, so your guess may be right.`,
  ],
  solution: [
    (f) => [
      `That was it: anything above ${f.rows > 1000 ? 'a thousand' : 'a hundred'} entries ran into a time limit. The fix for ${f.ticket} went live this morning.`,
      'Please reload the page once; after that it should behave.',
    ],
    (f) =>
      `With ${f.rows} entries we could reproduce it at last. ${f.code} has been fixed since noon today, and we have added a test so that it stays that way.`,
    (f) => [
      `Our developers say thank you. The page asked for all ${f.rows} entries at once, now it fetches them bit by bit.`,
      `Would you have a look and tell me whether ${f.ticket} can be closed?`,
    ],
  ],
  thanks: [
    () => 'Works again, and faster than before. Thank you!',
    (f) => `Just checked, ${f.code} is gone. You can close ${f.ticket}.`,
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) =>
          `Hmm, I was too quick. This morning I saw ${f.code} once more, for a second, then the page loaded.`,
        (f) => `${f.code} is gone, but now the dates in ${f.place} are in American order. Related?`,
      ],
      answer: [
        (f) =>
          `Thank you for keeping an eye on it. That was a leftover of the same change, and it has been put right under ${f.ticket}.`,
        () => 'It is related. A correction goes out tonight, so tomorrow it should be as it was.',
      ],
    },
    {
      question: [
        () => 'Do you have a page that shows whether the site has problems? I would have looked there first.',
        () => 'If I find another one, shall I use this thread or start a new one?',
      ],
      answer: [
        () => 'A status page is planned. Until then a new message to us, one per problem, is just right.',
        () =>
          'Writing to us is the best way for now, with one message for each problem so that nothing gets lost.',
      ],
    },
  ],
  attachment: (f, index, random) => {
    if (index !== 0 && index !== 2) return undefined
    return random.chance(0.6)
      ? { fixture: 'screenshot.png', filename: `screenshot-${f.code}.png` }
      : { fixture: 'error-log.txt', filename: `error-${f.code}.txt` }
  },
})
