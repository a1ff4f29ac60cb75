import type { Language } from '../language.js'
import type { Circumstances } from '../letters/circumstances.js'
import { formatDate } from './facts/dates.js'
import { furtherTopics } from './further-topics.js'
import { people } from './people.js'

/** How Japanese business letters are written. */
export const japanese: Language = {
  tag: 'ja',
  people,
  greetings: {
    opening: [
      ({ lastName }) => `お世話になっております。${lastName}と申します。`,
      ({ lastName }) => `はじめまして。${lastName}と申します。`,
      ({ lastName }) => `こんにちは。${lastName}です。`,
      ({ company, lastName }) => `${company}　ご担当者様\n\nお世話になっております。${lastName}と申します。`,
      ({ company, fullName }) => `${company}御中\n\n突然のご連絡失礼いたします。${fullName}と申します。`,
      ({ agentName, lastName }) => `${agentName}　御中\n\nいつもお世話になっております。${lastName}です。`,
    ],
    followUp: [
      ({ lastName }) => `お世話になっております。${lastName}です。`,
      ({ lastName }) => `お世話になっております、${lastName}です。`,
      ({ lastName }) => `たびたび失礼いたします。${lastName}です。`,
      'お世話になっております。',
      '',
    ],
    agent: [
      ({ lastName, company }) => `${lastName}様\n\nお世話になっております。${company}でございます。`,
      ({ lastName, agentName }) =>
        `${lastName}様\n\n平素より大変お世話になっております。${agentName}でございます。`,
      ({ fullName, agentName }) =>
        `${fullName}様\n\nいつもお世話になっております。${agentName}でございます。`,
    ],
  },
  closings: {
    person: [
      '何卒よろしくお願いいたします。\n\n',
      'お手数をおかけしますが、よろしくお願いいたします。\n\n',
      'よろしくお願いします。\n\n',
      '以上、よろしくお願い申し上げます。\n\n',
      'ご確認のほど、よろしくお願いいたします。\n\n',
      '',
    ],
    calm: [
      '今後ともよろしくお願いいたします。\n\n',
      '取り急ぎ、お礼まで。\n\n',
      'それでは失礼いたします。\n\n',
      '',
    ],
    agent: [
      '何卒よろしくお願い申し上げます。\n\n',
      '今後ともどうぞよろしくお願いいたします。\n\n',
      'ご不明な点がございましたら、お気軽にお問い合わせください。\n\n',
      '引き続き、よろしくお願いいたします。\n\n',
    ],
  },
  signName,
  signAgent: ({ agentName, company }) => (agentName === company ? company : `${agentName}\n${company}`),
  devices: ['', '', '', '', '', 'スマートフォンから送信', 'タブレットから送信しています'],
  postscripts: [
    '追伸：ご返信はこのアドレスにお願いします。もう一つのアドレスはほとんど見ておりません。',
    '追伸：同じメールが二通届いていましたら申し訳ありません。送信がうまくいかなかったようです。',
    '追伸：日中は電話に出られないことが多いため、メールでご連絡いただけると助かります。',
  ],
  quotes: (writer, at) =>
    at === null ? `${writer} さんが書きました：` : `${formatDate(at)}、${writer} さんが書きました：`,
  colon: '：',
  furtherTopics,
}

/** In full with the firm above it, as signatures there are; later by family name. */
function signName({ fullName, lastName }: Circumstances, index: number, titles: string): string {
  if (index > 0) return lastName
  return titles === '' ? fullName : `${titles}\n${fullName}`
}
