import { customerNumber, ticketNumber } from '../facts/order-number.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { conversation } from './english.js'

const SYMPTOMS = [
  'the link in the reset mail says "expired", even when I click it at once',
  'the reset mail never comes, and it is not in the spam folder either',
  'the new password is accepted, but then I am asked to sign in again, for ever',
  'the page tells me that my address is unknown',
  'after the third try I was locked out',
] as const
const DEVICES = [
  'my laptop',
  'my phone',
  'the office computer',
  'a tablet',
  'two different browsers',
] as const

/** Somebody who cannot get into their account. */
export const passwordResetTrouble = conversation({
  name: 'password-reset-trouble',
  category: 'support',
  weight: 6,
  facts: (random) => ({
    customer: customerNumber(random),
    ticket: ticketNumber(random),
    symptom: random.pick(SYMPTOMS),
    device: random.pick(DEVICES),
  }),
  subject: [
    (f) => `Cannot reset my password (customer ${f.customer})`,
    () => 'Password reset does not work',
    (f) => `Locked out of my account, ${f.customer}`,
    () => 'please help, cannot sign in',
  ],
  opening: [
    (f) => [
      `I am trying to reset my password, but ${f.symptom}.`,
      `My customer number is ${f.customer} and I am using ${f.device}. What am I doing wrong?`,
    ],
    (f) => `Cannot sign in (customer ${f.customer}). Tried the reset on ${f.device}: ${f.symptom}.`,
    (f) => [
      `I'm not the most gifted person with computers, so please bear with me. I forgot my password, asked for a new one, and now ${f.symptom}.`,
      `I have tried it on ${f.device}. The number on my last letter from you is ${f.customer}, if that helps.`,
    ],
    (f) => [
      `Third attempt today. Each time the same: ${f.symptom}.`,
      `I need to get at my invoices before the end of the week. Customer ${f.customer}.`,
    ],
    (f) => [
      `Is something wrong with your sign-in page? On ${f.device} ${f.symptom}.`,
      `It did work last month. Account ${f.customer}, address ${f.address}.`,
    ],
  ],
  answer: [
    (f) => [
      `That sounds annoying, and I do not think it is you. I have opened ticket ${f.ticket} for account ${f.customer}.`,
      `I have cleared all earlier reset links. Please ask for a new one now, and open only the newest mail.`,
    ],
    (f) => [
      `Thank you for the details. Your account ${f.customer} was blocked for an hour after several attempts; I have lifted that.`,
      `Could you try once more, in a private window? Your ticket is ${f.ticket}.`,
    ],
    (f) =>
      `I can see the attempts. I have reset the counter for ${f.customer}; please try again and quote ${f.ticket} if it goes wrong. We will never ask for the password itself.`,
  ],
  reaction: [
    (f) => `Same thing, I'm afraid. A new mail did come this time, but ${f.device} still won't let me in.`,
    () => 'Tried it just now in a private window. I get one step further, then the page turns white.',
    (f) =>
      `No luck. Could it be that ${f.address} is on the account twice? I may have registered again by mistake.`,
  ],
  solution: [
    (f) => [
      `That was the missing clue. There was a leftover second account for ${f.address}, and the two got in each other's way.`,
      'I have merged them. Please request one more link; it is valid for an hour.',
    ],
    (f) =>
      `Our engineers found an old session stuck to ${f.customer} and removed it. A reset should now work on the first try; ${f.ticket} stays open until you tell me so.`,
    (f) => [
      `I have switched ${f.customer} to a sign-in by code: you enter ${f.address}, and we send you six digits.`,
      'Once inside you can choose a new password in peace.',
    ],
  ],
  thanks: [
    () => "I'm in! Thank you so much for your patience with me.",
    (f) => `Works now, on ${f.device} as well. You can close ${f.ticket}.`,
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        () => 'While I am at it, how do I switch on the second step with the phone? I would rather be safe.',
        () => 'Should I change anything else, now that I have a new password?',
      ],
      answer: [
        () =>
          'The second step is under "Account", then "Security", and I recommend it. Keep the recovery codes outside your mailbox.',
        () =>
          'I would switch on the second step under "Security" and sign out everywhere else once. That is all.',
      ],
    },
    {
      question: [
        () => 'I was told by mail about a sign-in from another town. Was that still one of our tests?',
        () => 'Since the change my saved addresses are gone. Are they lost?',
      ],
      answer: [
        (f) =>
          `I have checked ${f.customer}: the only sign-ins are yours, and everything you had saved is there again.`,
        () =>
          'Nothing to worry about, it comes from putting your account in order. Please sign out and in again, then all is as before.',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `sign-in-${f.customer}.png` }
      : undefined,
})
