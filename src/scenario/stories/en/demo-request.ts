import { DAY, formatTime, HOUR, MINUTE, startOfDay, workdayAfter } from '../facts/calendar.js'
import { plainFarewells } from './closing-words.js'
import { conversation } from './english.js'
import { formatDay } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'

const INTERESTS = [
  'approvals, so that not everybody can order everything',
  'one invoice a month instead of forty',
  'how returns work when several people order',
  'ordering from a list that we upload',
  'budgets for each department',
] as const

/** A firm would like to be shown the company's portal for business customers. */
export const demoRequest = conversation({
  name: 'demo-request',
  category: 'sales',
  weight: 3,
  facts: (random, setting) => {
    const day = workdayAfter(startOfDay(setting.begins) + random.integer(6, 14) * DAY)
    const slot = day + random.integer(18, 32) * 30 * MINUTE
    return {
      firm: drawEmployer(random).name,
      role: drawRole(random),
      seats: random.integer(3, 60),
      interest: random.pick(INTERESTS),
      day: formatDay(day),
      time: formatTime(slot),
      until: formatTime(slot + HOUR),
    }
  },
  subject: [
    (f) => `Demo for ${f.firm}`,
    (f) => `Can we see the business portal? (${f.seats} people)`,
    () => 'Request for a demo',
    (f) => `Business account for ${f.seats} users`,
  ],
  opening: [
    (f) => [
      `At ${f.firm} some ${f.seats} people order from you, each with a login of their own. We hear there is a portal for that.`,
      `Could somebody show it to us? We are most interested in ${f.interest}.`,
    ],
    (f) =>
      `Please get in touch about a demo of the business portal for ${f.seats} users. Topic: ${f.interest}.`,
    (f) => [
      `I saw your business portal over a customer's shoulder and would like a proper look at it.`,
      `There are ${f.seats} of us. What I care about is ${f.interest}; the rest we can work out ourselves.`,
    ],
    (f) => [
      `We have outgrown our shared spreadsheet (${f.seats} people, one file, you can imagine).`,
      `Is there a demo, or a trial, where we could see ${f.interest}?`,
    ],
  ],
  answer: [
    (f) => [
      `With pleasure. Would ${f.day} suit you, from ${f.time} to ${f.until} (UTC)?`,
      'It is a video call with a shared screen, and you are welcome to bring colleagues.',
    ],
    (f) => [
      `Thank you for your interest. For ${f.seats} people the portal is a good fit, and we will show you ${f.interest}.`,
      `I could offer ${f.day} at ${f.time} UTC. It takes an hour at most.`,
    ],
    (f) =>
      `Gladly. My suggestion is ${f.day}, ${f.time} UTC, for up to an hour. Is there something you would like to see apart from ${f.interest}?`,
  ],
  reaction: [
    (f) => `${f.day} at ${f.time} works. There will be three of us, one from IT who asks awkward questions.`,
    (f) =>
      `We'll take ${f.time}. Can you also say what it costs for ${f.seats} people, so that we need not spend the call on that?`,
    () =>
      'That suits us. Please send the link to me, I will forward it. Could it be recorded for a colleague who is away?',
  ],
  solution: [
    (f) => [
      `Booked: ${f.day}, ${f.time} to ${f.until} UTC. The link comes with the invitation.`,
      `The portal itself is free of charge for ${f.seats} people, and the call can be recorded if everybody agrees.`,
    ],
    (f) =>
      `I have reserved the time and will bring a colleague who knows the technical side. Up to a hundred users the portal costs nothing, so ${f.seats} are no problem. See you on ${f.day}.`,
    (f) => [
      `Wonderful, see you on ${f.day}. You will get an invitation with the link, which you may pass on.`,
      `We have prepared an example for ${f.seats} users, so that you see it with realistic figures.`,
    ],
  ],
  thanks: [
    () => 'Invitation accepted. Looking forward to it.',
    () => "Thank you, it is in everybody's calendar. Until then.",
    (f) => `Great. We will bring our questions, mostly about ${f.interest}.`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) =>
          `Thank you for the demo. Everybody liked it, in particular ${f.interest}. What would be the next step?`,
        () => 'Our IT colleague was impressed, which does not happen often. How do we get a trial?',
      ],
      answer: [
        (f) =>
          `I have opened a trial for ${f.firm} with room for ${f.seats} people, for four weeks. The access details come in a separate message.`,
        () =>
          'A trial is the next step: four weeks, nothing to pay, and it ends by itself. I have requested one for you.',
      ],
    },
    {
      question: [
        () => 'Can we import our list of people, or does each of them have to sign up?',
        (f) => `How do we move the order history of ${f.seats} separate accounts into one?`,
      ],
      answer: [
        () => 'We do that for you from a list with names and addresses. It takes a day.',
        (f) => `Send us the list and we take care of it; for ${f.seats} people it is done within a day.`,
      ],
    },
  ],
  titles: (f) => `${f.role}, ${f.firm}`,
  attachment: (f, index) =>
    index === 3 ? { fixture: 'meeting.ics', filename: `demo-${f.seats}-users.ics` } : undefined,
})
