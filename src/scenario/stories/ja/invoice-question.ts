import { DAY, startOfDay, workdayAfter } from '../facts/calendar.js'
import { numberOfYear } from '../facts/order-number.js'
import { plainFarewells, supportThanks } from './closing-words.js'
import { formatDay } from './facts/dates.js'
import { drawEmployer } from './facts/firms.js'
import { drawPurchase } from './facts/purchase.js'
import { conversation } from './japanese.js'

const WISHES = [
  '宛名を会社名に',
  '日付を注文日に',
  '但し書きを「備品代として」に',
  '適格請求書（インボイス）の形式に',
] as const

/** Somebody needs a receipt made out in another way. */
export const invoiceQuestion = conversation({
  name: 'invoice-question',
  category: 'support',
  weight: 6,
  facts: (random, setting) => ({
    ...drawPurchase(random, setting),
    firm: drawEmployer(random).name,
    wish: random.pick(WISHES),
    invoice: numberOfYear('INV', random, setting.begins),
    deadline: formatDay(workdayAfter(startOfDay(setting.begins) + random.integer(3, 8) * DAY)),
  }),
  subject: [
    (f) => `領収書の再発行をお願いします（${f.order}）`,
    (f) => `領収書について　注文番号：${f.order}`,
    (f) => `請求書${f.invoice}の訂正のお願い`,
    (f) => `【経理】領収書の件（${f.invoice}）`,
  ],
  opening: [
    (f) => [
      `${f.ordered}に購入した${f.item}（注文番号：${f.order}、${f.price}）の領収書についてお伺いします。請求書番号は${f.invoice}です。`,
      `${f.wish}していただくことは可能でしょうか。宛名は「${f.firm}」でお願いいたします。`,
    ],
    (f) => [
      `先日お送りいただいた書類（${f.invoice}、注文番号${f.order}）ですが、このままでは経費精算ができず、困っております。`,
      `${f.wish}変更のうえ、${f.deadline}までに再発行していただけますでしょうか。`,
    ],
    (f) =>
      `注文番号${f.order}（請求書${f.invoice}、${f.price}）の領収書を、${f.wish}して再発行してください。宛名：${f.firm}`,
    (f) => [
      `マイページから領収書をダウンロードしましたが、会社の規定に合わないと経理から言われました。注文番号は${f.order}、請求書番号は${f.invoice}です。`,
      `${f.wish}修正していただけますでしょうか。会社名は${f.firm}です。`,
    ],
  ],
  answer: [
    (f) => [
      `ご連絡いただき、ありがとうございます。請求書${f.invoice}につきまして、再発行を承ります。`,
      `念のため確認ですが、宛名は「${f.firm}」、金額は${f.price}（税込）でお間違いないでしょうか。`,
    ],
    (f) => [
      `ご不便をおかけし、申し訳ございません。ご注文${f.order}の領収書は、再発行が可能でございます。`,
      '恐れ入りますが、部署名の記載の要否と、電子データ・郵送のどちらをご希望かをお知らせください。',
    ],
    (f) =>
      `かしこまりました。${f.invoice}を「${f.firm}」様宛てで作成し直します。ほかに修正が必要な箇所がございましたら、併せてお知らせください。`,
  ],
  reaction: [
    (f) => `宛名は「${f.firm}」、金額は${f.price}で間違いありません。PDFで送っていただければ結構です。`,
    () => 'ありがとうございます。部署名は不要です。電子データでお願いいたします。',
    (f) => `以上で問題ありません。締めの都合がありますので、${f.deadline}までにいただけると大変助かります。`,
  ],
  solution: [
    (f) => [
      `お待たせいたしました。ご注文${f.order}の領収書を「${f.firm}」様宛てで再発行いたしました。`,
      `マイページの「注文履歴」からダウンロードしていただけます。以前の${f.invoice}は無効となりますので、破棄をお願いいたします。`,
    ],
    (f) =>
      `再発行が完了いたしました。金額は${f.price}（税込）、番号は${f.invoice}のままでございます。先ほど別のメールでPDFをお送りしましたので、ご確認ください。`,
    (f) => [
      `ご希望の内容で領収書をお作りいたしました（注文番号：${f.order}）。`,
      `登録番号と税率ごとの内訳も記載しております。${f.deadline}までに原本が必要な場合は、郵送も承ります。`,
    ],
  ],
  thanks: [
    () => '領収書を受け取りました。これで精算できます。ありがとうございました。',
    (f) => `${f.invoice}を確認しました。経理からも問題ないとのことです。助かりました。`,
    ...supportThanks,
  ],
  farewell: plainFarewells,
  later: [
    {
      question: [
        () => '今後の注文から、最初から会社名の領収書にしておくことはできますか。',
        (f) => `次回以降も「${f.firm}」宛てにしたいのですが、毎回ご連絡が必要でしょうか。`,
      ],
      answer: [
        () => 'はい、マイページの「お客様情報」で宛名をご登録いただけます。次回のご注文から反映されます。',
        (f) => `いいえ、不要でございます。「${f.firm}」様を既定の宛名として登録いたしました。`,
      ],
    },
    {
      question: [
        () => '昨年度の領収書もまとめて発行していただくことはできますか。',
        () => '月ごとの合計が分かる明細書のようなものはありますか。',
      ],
      answer: [
        () => '過去2年分でしたら、マイページからまとめてダウンロードしていただけます。',
        () => '月次の利用明細書をご用意しております。マイページの「明細書」をご覧ください。',
      ],
    },
  ],
  titles: (f) => `${f.firm}`,
  attachment: (f, index) =>
    index === 0 ? { fixture: 'invoice.pdf', filename: `請求書_${f.invoice}.pdf` } : undefined,
})
