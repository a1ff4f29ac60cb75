import { trackingNumber } from '../facts/order-number.js'
import { supportFarewells, supportThanks } from './closing-words.js'
import { drawCarrier } from './facts/places.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './japanese.js'

const CAUSES = [
  '仕分けの誤り',
  '大雪による通行止め',
  '宛名ラベルの読み取り不良',
  '連休明けの荷物の集中',
  '中継センターでの積み残し',
] as const

const DAYS = ['2', '3', '4'] as const

/** A parcel that did not come on the promised day. */
export const lateDelivery = conversation({
  name: 'late-delivery',
  category: 'support',
  weight: 10,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    carrier: drawCarrier(random),
    cause: random.pick(CAUSES),
    tracking: trackingNumber(random),
    days: random.pick(DAYS),
  }),
  subject: [
    (f) => `注文した商品が届きません（注文番号：${f.order}）`,
    (f) => `【お問い合わせ】${f.order}の配送状況について`,
    (f) => `${f.item}が未着です（${f.order}）`,
    (f) => `${f.arrived}着予定の荷物について（${f.order}）`,
    (f) => `配送の遅れについて　注文番号${f.order}`,
  ],
  opening: [
    (f) => [
      `先日注文した${f.item}が、お届け予定日の${f.arrived}を過ぎても届いておりません。注文番号は${f.order}です。`,
      'お手数ですが、現在の配送状況を確認していただけますでしょうか。',
    ],
    (f) => [
      `${f.ordered}に${f.item}を注文しました（注文番号：${f.order}、${f.price}）。`,
      `${f.arrived}に届くとのことでしたが、追跡ページはずっと「輸送中」のままです。どうなっているのでしょうか。`,
    ],
    (f) => [
      `お忙しいところ恐れ入ります。注文番号${f.order}の荷物ですが、${f.arrived}は一日中在宅していたのに配達がなく、不在票も入っていませんでした。`,
      `届け先は${f.destination}、商品は${f.item}です。このまま待っていればよいでしょうか。`,
    ],
    (f) => [
      `${f.order}の${f.item}、${f.arrived}必着でお願いしていたはずですが、まだ届いていません。`,
      '贈り物にする予定で、あまり日がありません。いつ届くのか、はっきりした日にちを教えてください。',
    ],
    (f) =>
      `注文番号${f.order}、${f.arrived}到着予定の荷物がまだ来ません。${f.carrier}に確認のうえ、ご連絡をお願いします。`,
  ],
  answer: [
    (f) => [
      `お届けが遅れており、誠に申し訳ございません。ご注文番号${f.order}について${f.carrier}に確認いたしましたところ、${f.cause}のため、お荷物が${f.city}の営業所に留まっておりました。`,
      `${f.days}営業日以内にお届けできる見込みです。お問い合わせ番号は${f.tracking}でございます。`,
    ],
    (f) => [
      `ご心配をおかけし、深くお詫び申し上げます。ご注文${f.order}の${f.item}は予定どおり出荷いたしましたが、${f.carrier}での${f.cause}により遅れが生じております。`,
      `現在は配送を再開しており、${f.days}営業日ほどでお手元に届く予定です（追跡番号：${f.tracking}）。届かない場合は、代わりの商品をお送りいたします。`,
    ],
    (f) => [
      `この度はご迷惑をおかけし、申し訳ございません。ご注文${f.order}を調査した結果、${f.cause}が原因で配送が止まっていたことが分かりました（追跡番号：${f.tracking}）。`,
      `優先して配達するよう${f.carrier}に依頼済みです。恐れ入りますが、あと${f.days}営業日ほどお待ちいただけますでしょうか。`,
    ],
  ],
  reaction: [
    (f) =>
      `ご連絡ありがとうございます。ただ、${f.days}営業日を過ぎましたが、まだ届きません。${f.tracking}の追跡画面も変わっていないようです。`,
    (f) => [
      `${f.carrier}に直接電話したところ、「発送元に確認してほしい」と言われました。`,
      `お手数ですが、${f.item}をもう一度送っていただくことはできますか。`,
    ],
    () =>
      'その後も届いていません。待つつもりではおりましたが、そろそろ必要なので、何か方法はないでしょうか。',
    (f) =>
      `先ほど追跡番号${f.tracking}を調べたら「持ち戻り」と表示されていました。家には人がいたのですが、返送されてしまうのでしょうか。`,
  ],
  solution: [
    (f) => [
      `度重なるご迷惑、誠に申し訳ございません。本日、${f.destination}宛てに代わりの${f.item}を速達でお送りいたしました。送料は弊社が負担いたします。`,
      '最初のお荷物が後から届いた場合は、お手数ですが受け取りをご辞退ください。',
    ],
    (f) => [
      `これ以上お待たせすることはできないと判断し、ご注文${f.order}の代替品を本日午後に出荷いたします。${f.city}へは2日ほどでお届けの予定です。`,
      'また、お詫びとして配送料を返金させていただきました。',
    ],
    (f) =>
      `ご不便をおかけして申し訳ございません。新しい${f.item}を別の配送業者で本日発送いたします。お届けの時間帯は、追って発送通知でお知らせいたします。`,
  ],
  thanks: [
    (f) => `今朝、${f.item}が無事に届きました。ご対応ありがとうございました。`,
    () => '先ほど受け取りました。時間はかかりましたが、最後まで対応していただき感謝しております。',
    ...supportThanks,
  ],
  farewell: supportFarewells,
  later: [
    {
      question: [
        (f) => `最初の荷物（${f.tracking}）が今日になって玄関先に置かれていました。どうすればよいですか。`,
        (f) => `結局、${f.carrier}から元の荷物も届き、二つになってしまいました。返送の方法を教えてください。`,
      ],
      answer: [
        (f) =>
          `ご連絡いただきありがとうございます。未開封のまま${f.carrier}のドライバーにお渡しください。追跡番号${f.tracking}で手配しております。`,
        () =>
          '着払いの伝票をお送りいたします。お急ぎではありませんので、2週間以内にご返送いただければ幸いです。',
      ],
    },
    {
      question: [
        () => '次回からコンビニ受け取りにすることはできますか。日中は家にいないことが多いです。',
        (f) => `今後、${f.carrier}以外の配送業者を選ぶことはできるのでしょうか。`,
      ],
      answer: [
        () => 'はい、ご注文画面の「お届け方法」からコンビニ受け取りをお選びいただけます。',
        () => 'ご注文時の備考欄にご希望の業者をお書きいただければ、可能な範囲で対応いたします。',
      ],
    },
  ],
  attachment: (f, index) =>
    index === 0 || index === 2
      ? { fixture: 'screenshot.png', filename: `追跡画面_${f.order}.png` }
      : undefined,
})
