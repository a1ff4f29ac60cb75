import { type DeliveryFailure, deliveryReport, drawFailure } from '../facts/delivery-failure.js'
import { drawEmployer } from './facts/firms.js'
import { announcement } from './japanese.js'

const MEANINGS: Readonly<Record<string, string>> = {
  '5.1.1': '宛先のメールアドレスが存在しません',
  '5.2.2': '受信者のメールボックスの容量が超過しています',
  '5.3.4': 'メールのサイズが受信側の上限を超えています',
  '5.4.4': '宛先のドメインが見つかりません',
  '5.7.1': '受信側のサーバーに受信を拒否されました',
}
const MAILBOXES = ['keiri', 'soumu', 'kobai', 'order', 'k.tanaka', 'uketsuke', 'sato.y'] as const

/** A mail server tells the agent that something it sent did not get through. */
export const bounce = announcement({
  name: 'bounce',
  category: 'bounces',
  weight: 2,
  colour: '#000000',
  html: 0,
  htmlOnly: 0,
  facts: (random, setting) => drawFailure(random, setting, drawEmployer(random).domain, MAILBOXES),
  from: (f) => ({ name: 'Mail Delivery System', address: `MAILER-DAEMON@${f.relay}` }),
  subject: [
    () => '配信不能：メールを送信できませんでした',
    (f) => `メール配信エラーのお知らせ（${f.recipient}）`,
    () => 'Undelivered Mail Returned to Sender',
    (f) => `【自動通知】${f.recipient}宛てのメールを配信できませんでした`,
  ],
  first: [
    (f) => [
      `${f.relay}のメールシステムからお知らせします。`,
      `お送りになったメールを、次の宛先に配信できませんでした。再送は行われません。`,
      `<${f.recipient}>: ${f.server} の応答： ${f.reply} ${f.says}\n（${meaning(f)}）`,
      deliveryReport(f),
    ],
    (f) => [
      `${f.recipient} 宛てのメールは配信されませんでした。`,
      `理由：${meaning(f)}。\nサーバー ${f.server} からの応答：\n    ${f.reply} <${f.recipient}>: ${f.says}`,
      'メールアドレスをご確認のうえ、別の方法で相手の方にご連絡ください。',
      deliveryReport(f),
    ],
    (f) => [
      '以下の宛先へのメール送信に失敗しました。',
      `    ${f.recipient}\n    理由：${meaning(f)}（${f.status}）`,
      `受付日時：${f.at}`,
      deliveryReport(f),
    ],
    (f) => [
      `This is the mail system at ${f.relay}.\nこのメールは自動的に送信されています。`,
      `<${f.recipient}> への配信は恒久的なエラーで失敗しました：${meaning(f)}。`,
      `----- セッションの記録 -----\n<<< ${f.reply} ${f.says}`,
      deliveryReport(f),
    ],
  ],
  next: [
    [
      (f) => [
        `${f.relay}のメールシステムからお知らせします。`,
        `${f.agentAddress} から <${f.recipient}> に送られた別のメールも、同じ理由で配信できませんでした（${meaning(f)}）。\n${f.reply} ${f.says}`,
      ],
      (f) => [
        `${f.recipient} 宛ての二通目のメールも配信されませんでした。`,
        `${f.server} の応答： ${f.reply} ${f.says}`,
        'このアドレスを宛先リストから削除することをお勧めします。',
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'error-log.txt', filename: `transcript-${f.queue}.txt` } : undefined,
})

/** What the status says, in words. */
function meaning({ status }: DeliveryFailure): string {
  return MEANINGS[status] ?? '受信側のサーバーでエラーが発生しました'
}
