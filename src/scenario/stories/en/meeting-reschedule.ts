import { DAY, formatTime, MINUTE, startOfDay, workdayAfter } from '../facts/calendar.js'
import { plainFarewells } from './closing-words.js'
import { conversation } from './english.js'
import { formatDay } from './facts/dates.js'

const MEETINGS = [
  'quarterly review',
  'planning call',
  'contract talk',
  'kick-off',
  'budget round',
  'project check-in',
] as const
const REASONS = [
  'I have to be in court as a witness, of all things',
  'our auditors have announced themselves for that day',
  'my flight home was moved',
  'the school is closed that day and I have two small children at home',
  'somebody has booked me twice',
  'half of my team will be at a training',
] as const

/** Somebody asks to move a meeting. */
export const meetingReschedule = conversation({
  name: 'meeting-reschedule',
  category: 'calendar',
  weight: 4,
  facts: (random, setting) => {
    const oldDay = workdayAfter(startOfDay(setting.begins) + random.integer(4, 9) * DAY)
    const newDay = workdayAfter(oldDay + random.integer(1, 5) * DAY)
    return {
      meeting: random.pick(MEETINGS),
      reason: random.pick(REASONS),
      oldDay: formatDay(oldDay),
      oldTime: formatTime(random.integer(18, 32) * 30 * MINUTE),
      newDay: formatDay(newDay),
      newTime: formatTime(random.integer(18, 32) * 30 * MINUTE),
      number: random.integer(1_000, 9_999),
      guests: random.integer(3, 8),
    }
  },
  subject: [
    (f) => `Moving our ${f.meeting} on ${f.oldDay}`,
    (f) => `${f.meeting.charAt(0).toUpperCase()}${f.meeting.slice(1)}: can we do ${f.newDay}?`,
    (f) => `Reschedule ${f.oldDay}, ${f.oldTime}`,
    (f) => `Not able to make the ${f.meeting}`,
  ],
  opening: [
    (f) => [
      `I am afraid I cannot make our ${f.meeting} on ${f.oldDay} at ${f.oldTime}: ${f.reason}.`,
      `Would ${f.newDay} at ${f.newTime} work for you?`,
    ],
    (f) =>
      `Can we move the ${f.meeting} from ${f.oldDay}, ${f.oldTime}, to ${f.newDay}, ${f.newTime}? Same place, same ${f.guests} people.`,
    (f) => [
      `You will not like this, as it took us weeks to find a date. But ${f.reason}, so ${f.oldDay} is no good any more.`,
      `I have asked around and ${f.newDay} suits everybody on our side, ideally at ${f.newTime}. What does your calendar say?`,
    ],
    (f) => [
      `About the ${f.meeting}: ${f.reason}, so I have to ask for another day than ${f.oldDay}.`,
      `I could do ${f.newDay} at ${f.newTime} or later. All times UTC, to be on the safe side.`,
    ],
    (f) => [
      `Sorry for the short notice. Something has come up on ${f.oldDay} (${f.reason}).`,
      `Could you look for a new slot for the ${f.meeting}? I'd suggest ${f.newDay}, ${f.newTime}.`,
    ],
  ],
  answer: [
    (f) => [
      `No harm done. ${f.newDay} at ${f.newTime} is free on our side, so I have moved the ${f.meeting} there provisionally.`,
      `Shall I invite the same ${f.guests} people, and keep it at an hour?`,
    ],
    (f) => [
      `Thank you for telling us early. I have taken ${f.oldDay} out and pencilled in ${f.newDay}, ${f.newTime}.`,
      'Before I send a new invitation: in person as planned, or as a call?',
    ],
    (f) =>
      `That works. I will book ${f.newDay} from ${f.newTime}. Is there anything to add to the agenda of the ${f.meeting} while I am at it?`,
  ],
  reaction: [
    () => 'A call would be easier now, for an hour. Same people, and nothing new for the agenda.',
    (f) =>
      `Same people, please. If we could make it a call, all the better: ${f.newTime} is tight if I have to travel.`,
    (f) =>
      `Perfect. Please add ten minutes for questions about the budget, and let the others know that ${f.oldDay} is off.`,
  ],
  solution: [
    (f) => [
      `The invitation for ${f.newDay}, ${f.newTime} UTC, has gone to all ${f.guests} of you, and the old date is cancelled.`,
      `We have made it a call. The meeting code is ${f.number}.`,
    ],
    (f) =>
      `All changed: ${f.newDay} at ${f.newTime}, as a call with the code ${f.number}. Nobody has objected so far.`,
    (f) => [
      `I have sent everybody the new date and withdrawn ${f.oldDay}.`,
      `Those who cannot come in person dial in with ${f.number}. See you then.`,
    ],
  ],
  thanks: [
    (f) => `Got the invitation, ${f.newDay} is in my calendar. Thank you!`,
    () => 'Accepted. You have saved me a very awkward phone call.',
    () => 'Thank you, and sorry again for the trouble. The coffee is on me next time.',
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => 'Who takes the minutes this time? I did it the last twice.',
        (f) => `Is there anything I should prepare for the ${f.meeting}?`,
      ],
      answer: [
        () => "We will take the minutes. If you could bring last quarter's figures, we have all we need.",
        (f) => `Just the figures from last time. For the minutes of the ${f.meeting} we have somebody.`,
      ],
    },
    {
      question: [
        (f) => `The code ${f.number} is not accepted. Is there another way to join?`,
        (f) => `One of us never got the invitation. Could you send it to all ${f.guests} again?`,
      ],
      answer: [
        (f) =>
          `I have sent the invitation anew to everybody. The code is still ${f.number}, with the hash key after it.`,
        () =>
          "It should be in everybody's inbox now, with a link for those who would rather not type a code.",
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 3 ? { fixture: 'meeting.ics', filename: `meeting-${f.number}.ics` } : undefined,
})
