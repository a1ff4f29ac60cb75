import { supportFarewells, supportThanks } from './closing-words.js'
import { drawCarrier } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './japanese.js'

const REASONS = [
  '写真で見たよりもかなり小さかった',
  '実物の色が画面と違っていた',
  '家族が同じものを先に買っていた',
  '手持ちのものとの相性がよくなかった',
  '思っていたよりも作りが華奢だった',
  '用途に合っていなかった',
] as const

const DAYS = ['3', '4', '5'] as const

/** A customer sends something back and wants the money. */
export const refundRequest = conversation({
  name: 'refund-request',
  category: 'support',
  weight: 9,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    reason: random.pick(REASONS),
    carrier: drawCarrier(random),
    returnNumber: `R-${random.integer(10_000, 99_999)}`,
    days: random.pick(DAYS),
  }),
  subject: [
    (f) => `返品・返金のお願い（注文番号：${f.order}）`,
    (f) => `${f.order}の返金について`,
    (f) => `${f.item}を返品したいのですが（${f.order}）`,
    (f) => `【返品希望】注文番号${f.order}`,
  ],
  opening: [
    (f) => [
      `${f.arrived}に届いた${f.item}（注文番号：${f.order}）を返品したく、ご連絡いたしました。理由は、${f.reason}ためです。`,
      `未使用で、箱もそのまま残してあります。${f.price}を返金していただくには、どのような手続きが必要でしょうか。`,
    ],
    (f) => `注文番号${f.order}（${f.item}、${f.price}）の返品と返金をお願いいたします。${f.reason}ためです。`,
    (f) => [
      `配送も梱包も申し分なかったのですが、${f.item}は残念ながら、${f.reason}ため、使えそうにありません。`,
      `申し訳ありませんが、返品をお受けいただけますか。注文番号は${f.order}です。開封はしましたが、使ってはおりません。`,
    ],
    (f) => [
      `サイトで返品の方法を探しましたが、見つけられませんでした。注文番号は${f.order}、${f.arrived}に受け取ったものです。`,
      `${f.reason}ので、${f.item}を送り返したいと思っています。手順を教えてください。`,
    ],
    (f) => [
      `${f.item}を返品します。${f.reason}からです。`,
      `ポイントではなく、${f.price}全額の返金を希望します。注文番号：${f.order}`,
    ],
  ],
  answer: [
    (f) => [
      `ご連絡いただき、ありがとうございます。お届けから30日以内ですので、返品を承ります。ご注文${f.order}の返品番号は${f.returnNumber}でございます。`,
      `箱の外側に番号をお書きのうえ、${f.carrier}の着払いでお送りください。商品が到着しましたら、${f.price}をご返金いたします。`,
    ],
    (f) => [
      `ご期待に沿えず、申し訳ございません。ご注文${f.order}の返品番号として${f.returnNumber}を発行いたしました。`,
      `${f.carrier}がご自宅（${f.destination}）へ集荷に伺うことも、営業所へお持ち込みいただくことも可能です。いずれも送料は弊社負担でございます。`,
    ],
    (f) =>
      `ご注文${f.order}の返品を承知いたしました。${f.item}を元の箱に入れ、${f.returnNumber}と記載して${f.carrier}の窓口にお出しください。到着した日に${f.price}を全額ご返金いたします。`,
  ],
  reaction: [
    (f) => `昨日、${f.city}の${f.carrier}営業所から発送しました。返金はいつごろになりますか。`,
    (f) => [
      `先週、${f.returnNumber}と書いて返送しました。控えも手元にあります。`,
      'まだ返金が確認できないのですが、お調べいただけますでしょうか。',
    ],
    (f) =>
      `ありがとうございます。${f.returnNumber}を箱の二面に書いて出しました。返金は、支払いに使ったカードに戻るのでしょうか。`,
  ],
  solution: [
    (f) => [
      `商品が到着し、状態に問題がないことを確認いたしました。先ほど${f.price}の返金手続きを完了しております。`,
      `お支払いに使われたカードへ、${f.days}営業日ほどで反映される見込みです。`,
    ],
    (f) =>
      `お待たせいたしました。返品番号${f.returnNumber}のお荷物を本日受領し、${f.price}をカード宛てに返金いたしました。反映まで${f.days}営業日ほどかかる場合がございます。`,
    (f) => [
      `${f.item}を確かに受け取りました。丁寧に梱包していただき、ありがとうございます。`,
      `${f.price}を全額ご返金いたしましたので、${f.days}営業日ほどお待ちくださいませ。`,
    ],
  ],
  thanks: [
    (f) => `本日、${f.price}の返金を確認しました。スムーズに対応していただき、ありがとうございました。`,
    () => 'カードの明細で返金を確認できました。ありがとうございます。',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) => `家計簿につけたいので、注文番号${f.order}が返金済みであることを書面でいただけますか。`,
        (f) => `明細に見覚えのない名称で${f.price}の入金がありました。貴社からのものでしょうか。`,
      ],
      answer: [
        (f) =>
          `ご注文${f.order}につきましては、返品番号${f.returnNumber}にて${f.price}を全額返金済みでございます。マイページの「注文履歴」でもご確認いただけます。`,
        (f) =>
          `はい、弊社からのご返金でございます。ご注文${f.order}、返品番号${f.returnNumber}の分です。このメールを控えとして保管してください。`,
      ],
    },
    {
      question: [
        (f) => `${f.item}の代わりになるような商品があれば、教えていただけますか。`,
        () => '別の商品を注文した場合も、30日間は返品できますか。',
      ],
      answer: [
        (f) => `${f.item}の商品ページの下部に、似た商品を二つご紹介しております。ぜひご覧ください。`,
        () => 'はい。ご注文ごとに、お届け日から30日間は返品を承っております。',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2 ? { fixture: 'receipt.pdf', filename: `領収書_${f.order}.pdf` } : undefined,
})
