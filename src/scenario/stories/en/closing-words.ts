import type { Words } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'

/** What customers say when their trouble is over, whatever it was. */
export const supportThanks: readonly Words<Circumstances>[] = [
  () => 'Great, that settles it. Thank you for the quick help.',
  () => "Thanks, that's all I needed.",
  () => 'Thank you for sorting this out. I appreciate that somebody actually read what I wrote.',
  ({ company }) => `Perfect, thank you. I will be using ${company} again.`,
]

/** How the agent takes leave of a customer whose trouble is over. */
export const supportFarewells: readonly Words<Circumstances>[] = [
  () =>
    "You're welcome, and thank you for your patience. If anything else comes up, simply reply to this message.",
  () => 'Glad we could help. I am closing this on our side now; a reply from you opens it again.',
  ({ company }) => `Thank you for letting us know. Have a good week from all of us at ${company}.`,
  () => 'Happy to hear it. We are here on working days between 9:00 and 17:00 if you need us.',
  () => 'Thank you for confirming. I have noted on your file that this is settled.',
]

/** How the agent ends an exchange in which nothing was wrong. */
export const plainFarewells: readonly Words<Circumstances>[] = [
  () => "You're welcome. If anything changes, simply reply to this message.",
  ({ company }) => `Thank you, and best wishes from everybody at ${company}.`,
  () => 'Noted, thank you. You will hear from us if we need anything else.',
  () => 'Thank you for the quick answers, that made it easy for us.',
]
