import { DAY, formatTime, MINUTE, startOfDay, workdayAfter } from '../facts/calendar.js'
import { plainFarewells } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawEmployer } from './facts/firms.js'
import { conversation } from './japanese.js'

const MEETINGS = [
  '定例会議',
  '契約に関する打ち合わせ',
  '四半期の進捗報告会',
  'キックオフミーティング',
  '予算会議',
] as const
const REASONS = [
  '急な出張が入ってしまった',
  '社内監査の日程と重なってしまった',
  '子どもの学校行事と重なってしまった',
  '担当者が全員そろわなくなった',
  '別件の会議が急きょ入ってしまった',
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
      oldTime: formatTime(random.integer(20, 34) * 30 * MINUTE),
      newDay: formatDay(newDay),
      newTime: formatTime(random.integer(20, 34) * 30 * MINUTE),
      number: random.integer(1_000, 9_999),
      guests: random.integer(3, 8),
      firm: drawEmployer(random).name,
    }
  },
  subject: [
    (f) => `${f.oldDay}の${f.meeting}　日程変更のお願い`,
    (f) => `【日程変更】${f.meeting}（${f.oldDay}${f.oldTime}〜）`,
    (f) => `${f.meeting}の件：${f.newDay}はいかがでしょうか`,
    (f) => `打ち合わせ日時変更のご相談（${f.firm}）`,
  ],
  opening: [
    (f) => [
      `${f.oldDay}${f.oldTime}からの${f.meeting}ですが、${f.reason}ため、誠に勝手ながら日程を変更していただけないでしょうか。`,
      `${f.newDay}の${f.newTime}からでしたら、こちらは全員参加できます。ご都合はいかがでしょうか。`,
    ],
    (f) =>
      `${f.meeting}の日時を、${f.oldDay}${f.oldTime}から${f.newDay}${f.newTime}に変更していただくことは可能でしょうか。場所と参加者（${f.guests}名）に変更はありません。`,
    (f) => [
      `日程調整にお手間をかけておきながら、大変恐縮です。${f.reason}ため、${f.oldDay}の${f.meeting}に出席できなくなりました。`,
      `差し支えなければ、${f.newDay}${f.newTime}以降で改めて調整をお願いできますでしょうか。`,
    ],
    (f) => [
      `直前のご連絡となり、申し訳ありません。${f.meeting}（${f.oldDay}）の件ですが、${f.reason}次第です。`,
      `代わりの候補として、${f.newDay}${f.newTime}を挙げさせていただきます。ご検討ください。`,
    ],
  ],
  answer: [
    (f) => [
      `ご連絡ありがとうございます。${f.newDay}の${f.newTime}で問題ございませんので、${f.meeting}を仮押さえいたしました。`,
      `参加者は変わらず${f.guests}名様、所要時間は1時間でよろしいでしょうか。`,
    ],
    (f) => [
      `早めにお知らせいただき、ありがとうございます。${f.oldDay}の予定を取り消し、${f.newDay}${f.newTime}で調整いたします。`,
      '念のため伺いますが、対面とオンラインのどちらがよろしいでしょうか。',
    ],
    (f) =>
      `承知いたしました。${f.newDay}${f.newTime}より予約いたします。${f.meeting}の議題に追加がございましたら、この機会にお知らせください。`,
  ],
  reaction: [
    () =>
      'ありがとうございます。今回はオンラインでお願いできればと思います。時間は1時間で、議題の追加はありません。',
    (f) => `参加者は同じです。移動の都合上、オンラインにしていただけると${f.newTime}に間に合い、助かります。`,
    (f) =>
      `議題の最後に、予算についての質疑を10分ほど加えてください。${f.oldDay}が中止になったことは、こちらの関係者にも伝えておきます。今回はオンラインでお願いできますと幸いです。`,
  ],
  solution: [
    (f) => [
      `${f.newDay}${f.newTime}開始で、${f.guests}名様に招待をお送りいたしました。以前の予定は取り消しております。`,
      `オンラインでの開催となります。会議番号は${f.number}でございます。`,
    ],
    (f) =>
      `変更が完了いたしました。${f.newDay}${f.newTime}より、オンラインで開催いたします（会議番号：${f.number}）。皆様のご都合に問題はないようです。`,
    (f) => [
      `関係者の皆様に新しい日時をご案内し、${f.oldDay}の予定は取り消しました。`,
      `当日はオンラインで開催いたしますので、会議番号${f.number}でご参加ください。`,
    ],
  ],
  thanks: [
    (f) => `招待を受け取りました。${f.newDay}で予定に入れております。ありがとうございます。`,
    () => '承諾いたしました。急なお願いにもかかわらず、ご調整いただき感謝いたします。',
    () => '確認いたしました。この度はご迷惑をおかけしました。当日はよろしくお願いいたします。',
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => '今回の議事録は、どなたがご担当でしょうか。前回は弊社で作成しました。',
        (f) => `${f.meeting}に向けて、事前に準備しておく資料はありますか。`,
      ],
      answer: [
        () => '議事録は弊社で作成いたします。前回の数値をご用意いただければ十分でございます。',
        (f) => `前回の数値だけで結構です。${f.meeting}の議事録は、こちらで担当いたします。`,
      ],
    },
    {
      question: [
        (f) => `会議番号${f.number}を入力しても入室できません。ほかに方法はありますか。`,
        (f) => `${f.guests}名のうち一名に招待が届いていないようです。再送をお願いできますか。`,
      ],
      answer: [
        (f) =>
          `皆様に招待を再送いたしました。番号は${f.number}のままで、末尾に「#」を付けて入力してください。`,
        () => '再送いたしました。メール内のリンクからも、そのままご参加いただけます。',
      ],
    },
  ],
  titles: (f) => f.firm,
  attachment: (f, index) =>
    index === 0 || index === 3 ? { fixture: 'meeting.ics', filename: `meeting-${f.number}.ics` } : undefined,
})
