import { announcement } from './japanese.js'
import { latinNames } from './names.js'

const OFFERS = [
  { trade: 'SEO対策', promise: '検索結果の一ページ目への表示', domain: 'kensaku-ichiban.example' },
  { trade: '営業リスト', promise: '決裁者四万人への直接アプローチ', domain: 'list-no-izumi.example' },
  { trade: '事業資金のご融資', promise: '最短三日での資金調達', domain: 'sugu-shikin.example' },
  { trade: 'ホームページ制作', promise: 'お問い合わせ件数の倍増', domain: 'web-dekiru.example' },
  { trade: '人材のご紹介', promise: '採用コストの六割削減', domain: 'jinzai-navi-plus.example' },
] as const

const MINUTES = [10, 15, 30] as const

/** Offers that nobody asked for. */
export const coldSpam = announcement({
  name: 'cold-spam',
  category: 'spam',
  weight: 3,
  colour: '#b00020',
  html: 0.5,
  htmlOnly: 0.2,
  facts: (random, setting) => {
    const { fullName, lastName } = setting.person(random)
    return { ...random.pick(OFFERS), fullName, lastName, minutes: random.pick(MINUTES) }
  },
  from: (f) => ({ name: f.fullName, address: `${latinNames[f.lastName] ?? 'info'}@${f.domain}` }),
  subject: [
    (f) => `【ご提案】${f.company}様の${f.trade}について`,
    (f) => `${f.minutes}分だけお時間をいただけませんか`,
    (f) => `【無料】${f.promise}を実現する方法`,
    () => 'Re: 先日の件につきまして',
    (f) => `${f.company}　ご担当者様へ（${f.trade}のご案内）`,
  ],
  first: [
    (f) => [
      `${f.company}\nご担当者様`,
      `突然のご連絡失礼いたします。${f.trade}を専門としております、${f.lastName}と申します。貴社のサイトを拝見し、ぜひお力になりたいと思い、ご連絡いたしました。`,
      `弊社のサービスで、${f.promise}を実現いたします。今週、${f.minutes}分ほどオンラインでお話しできませんでしょうか。`,
      signature(f),
    ],
    (f) => [
      `${f.agentName}様`,
      `${f.trade}でお困りではありませんか？\n多くの企業様が、同じ悩みを抱えていらっしゃいます。`,
      `${f.promise}！ 完全成果報酬、初期費用0円、契約期間の縛りなし。ご興味がございましたら「希望」とだけご返信ください。`,
      signature(f),
    ],
    (f) => [
      'お世話になっております。',
      `同業他社様はすでに${f.trade}を始めています。${f.promise}という成果も出ております。`,
      { link: `https://${f.domain}/yoyaku?min=${f.minutes}`, label: '無料相談のご予約はこちら' },
      signature(f),
    ],
    (f) => [
      `${f.company}　代表者様`,
      `${f.trade}のご担当の方に、このメールを転送していただけますと幸いです。`,
      `一言で申し上げますと、${f.promise}が可能です。資料（全${f.minutes}ページ）を無料でお送りいたします。`,
      signature(f),
    ],
  ],
  next: [
    [
      (f) => [
        `${f.company}\nご担当者様`,
        `先日お送りしたメールはご覧いただけましたでしょうか。${f.minutes}分で結構ですので、ぜひ一度お話しさせてください。`,
        signature(f),
      ],
      (f) => [
        'たびたび失礼いたします。',
        `ご返信がないようですが、すでに${f.promise}を達成されたのでしょうか。そうでなければ、今月限りの特別価格をご用意しております。`,
        signature(f),
      ],
      (f) => [
        'お世話になっております。',
        `ご案内は今回が最後です。${f.trade}をご検討の時期になりましたら、いつでもお声がけください。`,
        signature(f),
      ],
    ],
  ],
})

interface Pitch {
  readonly fullName: string
  readonly trade: string
  readonly domain: string
}

function signature({ fullName, trade, domain }: Pitch): string {
  return `━━━━━━━━━━━━━━\n${trade}の専門家\n${fullName}\nhttps://${domain}\n━━━━━━━━━━━━━━`
}
