import type { Words } from '../conversation.js'
import type { Circumstances } from '../letters/circumstances.js'

/** What customers say when their trouble is over, whatever it was. */
export const supportThanks: readonly Words<Circumstances>[] = [
  () => '解決しました。迅速にご対応いただき、ありがとうございました。',
  () => '確認できました。これで大丈夫です。お世話になりました。',
  () => '丁寧に説明していただき、よく分かりました。ありがとうございます。',
  ({ company }) => `無事に解決しました。また${company}を利用させていただきます。`,
]

/** How the agent takes leave of a customer whose trouble is over. */
export const supportFarewells: readonly Words<Circumstances>[] = [
  () => 'ご確認いただき、ありがとうございます。また何かございましたら、このメールにご返信ください。',
  () => '無事に解決したとのこと、安心いたしました。本件はこれにて完了とさせていただきます。',
  ({ company }) => `ご連絡ありがとうございました。今後とも${company}をよろしくお願いいたします。`,
  () => 'お役に立てて何よりです。平日9時から17時まで受け付けておりますので、いつでもお問い合わせください。',
  () => 'ご丁寧にご連絡いただき、恐れ入ります。この度はお手数をおかけいたしました。',
]

/** How the agent ends an exchange in which nothing was wrong. */
export const plainFarewells: readonly Words<Circumstances>[] = [
  () => '承知いたしました。ご変更などがございましたら、このメールにご返信ください。',
  ({ company }) => `ありがとうございます。引き続き${company}をよろしくお願い申し上げます。`,
  () => 'ご確認いただき、ありがとうございました。また何かございましたら、こちらからご連絡いたします。',
  () => '早速のご返信、誠にありがとうございました。おかげさまで円滑に進めることができました。',
]
