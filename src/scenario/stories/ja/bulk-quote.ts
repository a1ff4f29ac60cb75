import { DAY, startOfDay, workdayAfter } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { plainFarewells } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawEmployer, drawRole } from './facts/firms.js'
import { formatYen } from './facts/money.js'
import { drawProduct } from './facts/products.js'
import { conversation } from './japanese.js'

const OCCASIONS = [
  '新オフィスへの移転',
  '創立記念行事',
  '新入社員の受け入れ',
  '店舗の改装',
  '展示会への出展',
] as const

/** A firm asks what a larger number of something would cost. */
export const bulkQuote = conversation({
  name: 'bulk-quote',
  category: 'sales',
  weight: 6,
  facts: (random, setting) => {
    const { item, yen } = drawProduct(random, setting.company)
    const count = random.integer(2, 24) * 5
    const percent = random.pick([5, 8, 10, 12] as const)
    const unit = Math.floor((yen * (100 - percent)) / 1000) * 10
    const firm = drawEmployer(random)
    return {
      item,
      count,
      percent,
      unit: formatYen(unit),
      total: formatYen(unit * count),
      firm: firm.name,
      role: drawRole(random),
      occasion: random.pick(OCCASIONS),
      quote: numberOfYear('Q', random, setting.begins),
      deadline: formatDay(workdayAfter(startOfDay(setting.begins) + random.integer(14, 30) * DAY)),
    }
  },
  subject: [
    (f) => `お見積りのお願い（${f.item}　${f.count}点）`,
    (f) => `【見積依頼】${f.item}・${f.count}個／${f.firm}`,
    (f) => `${f.item}のまとめ買いについて`,
    (f) => `${f.count}点一括購入のご相談`,
  ],
  opening: [
    (f) => [
      `この度、${f.occasion}にあたり、${f.item}を${f.count}点購入したいと考えております。`,
      `つきましては、お見積書をお送りいただけますでしょうか。納品は${f.deadline}までを希望しております。`,
    ],
    (f) => [
      `貴社のサイトを拝見し、ご連絡いたしました。${f.item}を${f.count}点まとめて注文した場合、割引はございますか。`,
      `${f.occasion}のため、${f.deadline}までに必要です。請求書払いに対応しているかどうかも併せてお聞かせください。`,
    ],
    (f) =>
      `${f.item}、数量${f.count}、納期${f.deadline}にて、お見積りをお願いいたします。用途は${f.occasion}です。`,
    (f) => [
      `社内で${f.occasion}の準備を進めており、${f.item}が候補に挙がっております。数量は${f.count}点の予定です。`,
      '他社様にも見積りをお願いしておりますが、在庫と納期が確実であることを重視しております。ご検討のほど、よろしくお願いいたします。',
    ],
  ],
  answer: [
    (f) => [
      `お問い合わせいただき、誠にありがとうございます。${f.item}${f.count}点のお見積り（番号：${f.quote}）を作成いたしました。`,
      `${f.percent}％お値引きし、単価${f.unit}、合計${f.total}（税込・送料無料）でご提供いたします。納期は${f.deadline}で問題ございません。`,
    ],
    (f) => [
      `ご検討いただき、ありがとうございます。${f.count}点ですと、通常価格から${f.percent}％引きの単価${f.unit}となります（見積番号：${f.quote}）。`,
      `合計は${f.total}です。請求書払い（月末締め翌月末払い）にも対応しております。`,
    ],
    (f) =>
      `お見積番号${f.quote}：${f.item}　${f.count}点、単価${f.unit}、合計${f.total}（税込）。${f.deadline}までの納品が可能です。有効期限は30日間でございます。`,
  ],
  reaction: [
    (f) =>
      `早速のご回答、ありがとうございます。社内で検討した結果、${f.quote}の内容で発注したいと存じます。次の手順をお知らせください。`,
    (f) => [
      `お見積り${f.quote}を拝受しました。金額（${f.total}）については承認が下りました。`,
      '納品を二回に分けることは可能でしょうか。半数は二週間後で構いません。',
    ],
    (f) => `ありがとうございます。単価${f.unit}は、次回追加で注文する場合にも適用していただけますか。`,
  ],
  solution: [
    (f) => [
      `ありがとうございます。${f.quote}の内容で手配を進めさせていただきます。分納や追加のご注文も、同じ単価で承ります。`,
      `${f.item}${f.count}点は${f.deadline}までに納品いたします。請求書は納品後に、${f.firm}様宛てでお送りいたします。`,
    ],
    (f) =>
      `承知いたしました。分納にも追加のご注文にも、単価${f.unit}のまま対応いたします。正式なご発注は、このメールへのご返信のみで結構でございます（見積番号：${f.quote}）。`,
    (f) => [
      `ご連絡ありがとうございます。在庫を${f.count}点分確保いたしました。分納や追加のご注文にも、同じ単価で対応いたします。`,
      `合計${f.total}、見積番号${f.quote}で準備を進めます。出荷の前日に改めてご連絡いたします。`,
    ],
  ],
  thanks: [
    (f) => `ありがとうございます。それでは${f.quote}にて正式に発注いたします。よろしくお願いいたします。`,
    () => '迅速にご対応いただき、ありがとうございました。納品を楽しみにしております。',
    (f) =>
      `承知しました。${f.deadline}の納品でお願いいたします。おかげさまで${f.occasion}に間に合いそうです。`,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        (f) => `追加で10点ほど必要になりそうです。${f.quote}と同じ条件でお願いできますか。`,
        (f) => `人数が増えたため、${f.count}点では足りなくなりました。追加分の納期を教えてください。`,
      ],
      answer: [
        (f) => `はい、単価${f.unit}のまま承ります。数量が確定しましたら、ご返信ください。`,
        () => '追加分も5営業日ほどで出荷できます。必要な数量をお知らせください。',
      ],
    },
    {
      question: [
        () => '搬入時に台車は使えますか。エレベーターのない建物の二階です。',
        () => '納品の時間帯を午前中に指定することはできますか。',
      ],
      answer: [
        () => '配送業者に申し伝えました。二名でお伺いし、二階までお運びいたします。追加料金はかかりません。',
        () => '午前中（9時から12時）で手配いたしました。到着の30分前に、お電話を差し上げます。',
      ],
    },
  ],
  titles: (f) => `${f.firm}　${f.role}`,
  attachment: (f, index) =>
    index === 1
      ? { fixture: 'invoice.pdf', filename: `御見積書_${f.quote}.pdf` }
      : index === 0
        ? { fixture: 'orders.csv', filename: `購入予定一覧_${f.count}点.csv` }
        : undefined,
})
