import type { Topic } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'

/** What people still write about once everything is settled, whatever it was. */
export const furtherTopics: readonly Topic<Circumstances>[] = [
  {
    question: [
      () => 'I think I deleted your last message by accident. Is there anything left for me to do?',
      () => 'Just checking: are you waiting for anything from me?',
    ],
    answer: [
      () => 'No, there is nothing left for you to do. Everything is settled on our side.',
      () => 'Nothing at all, you can put this one aside. Should that change, we will write to this address.',
    ],
  },
  {
    question: [
      () =>
        'A different question: do you have a number I can ring next time? Writing is not always practical for me.',
      () => 'Is there somebody I can talk to on the phone, if this comes up again?',
    ],
    answer: [
      () =>
        'We answer fastest by mail, but we do call back: send us a number and a time between 9:00 and 17:00.',
      () => [
        'Certainly. Reply with your number and two times that suit you, and one of us will call.',
        'For anything with a reference number in it, mail is still the quickest way.',
      ],
    ],
  },
  {
    question: [
      () => 'I was sent a short survey about this conversation. Is it really from you?',
      () =>
        'A survey arrived in my inbox yesterday with your name on it. Is it genuine? I am careful with links.',
    ],
    answer: [
      () =>
        'It is ours, yes. It has three questions, asks for no personal details, and you are free to ignore it.',
      ({ firstName }) =>
        `Good that you asked, ${firstName}. The survey is ours; we never ask for a password or a card number in one.`,
    ],
  },
  {
    question: [
      () =>
        'Could you tell me which address you have on file for me? I use two and lose track of which one I gave.',
      () => 'Which of my email addresses is on my account? Two of mine get your messages, or so it seems.',
    ],
    answer: [
      ({ address }) => `We have ${address} on file, and that is where all our messages go.`,
      ({ address }) => [
        `The only one we have is ${address}.`,
        'If you would prefer another, write to us from the new one and we will change it.',
      ],
    ],
  },
  {
    question: [
      () => 'Are you open as usual over the coming public holiday?',
      () => 'Short question: is anybody reading this mailbox at weekends?',
    ],
    answer: [
      () =>
        'We are closed on Sundays and public holidays. Messages from those days are answered on the next working day.',
      () => 'Somebody looks in on Saturday mornings; the rest waits until Monday. Public holidays are quiet.',
    ],
  },
  {
    question: [
      () =>
        'Is this still the right address if I have a new question, or should I start again somewhere else?',
      () => 'Next time, should I write to you directly or use the form on the site?',
    ],
    answer: [
      () =>
        'This address is right for everything. A new message with its own subject helps us keep matters apart.',
      () =>
        'Either works, and both end up in front of the same people. Mail has the advantage that you keep a copy.',
    ],
  },
  {
    question: [
      () =>
        'My partner may write to you about this as well, as we share the account. Please treat us as one.',
      () => 'I will be away for two weeks from Monday. If anything comes up, my brother can answer for me.',
    ],
    answer: [
      () => 'Thank you, I have made a note of that so that nobody asks twice.',
      () => 'Noted. We will only need your own word for changes to the account itself.',
    ],
  },
  {
    question: [
      () => 'I put in a good word for you where I work. No need to answer, I only wanted you to know.',
      () =>
        'I left a review, by the way. Four stars, and the fifth is yours when the site gets a proper search box.',
    ],
    answer: [
      () => 'That made our afternoon. Thank you!',
      ({ firstName }) => `That is very kind of you, ${firstName}. I have passed it on to the whole team.`,
    ],
  },
]
