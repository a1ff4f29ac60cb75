import { DAY } from '../facts/calendar.js'
import { formatDay, formatMonth } from './facts/dates.js'
import { drawShop } from './facts/firms.js'
import { announcement } from './japanese.js'

const THEMES = [
  { title: '三日坊主でも続く、道具の手入れ', teaser: '一日三分でできることだけを集めました。' },
  { title: '引き出しの中を整える', teaser: '捨てる前に試してほしい、五つの並べ方をご紹介します。' },
  { title: '小さな工房を訪ねて', teaser: '直しながら使い続ける人たちに、お話を伺いました。' },
  { title: '雨の日の楽しみ方', teaser: '家で過ごす一日を少しだけ豊かにする工夫です。' },
  { title: '読者の机の上、拝見します', teaser: '二百枚のお写真から、編集部で意見の割れた九枚を選びました。' },
] as const
const OFFERS = [
  '月末まで送料無料',
  '全品10％オフ（クーポン不要）',
  'お買い上げの方全員にオリジナル手ぬぐい',
  '二点目以降が15％オフ',
] as const

/** A shop's letter to its readers. */
export const newsletter = announcement({
  name: 'newsletter',
  category: 'newsletters',
  weight: 4,
  colour: '#2f5d50',
  html: 1,
  htmlOnly: 0.12,
  facts: (random, setting) => ({
    ...random.pick(THEMES),
    offer: random.pick(OFFERS),
    shop: drawShop(random),
    issue: random.integer(12, 190),
    month: formatMonth(setting.begins),
    evening: formatDay(setting.begins + random.integer(6, 20) * DAY),
    reader: random.integer(100_000, 999_999),
  }),
  from: (f) => ({ name: f.shop.name, address: `news@${f.shop.domain}` }),
  subject: [
    (f) => `【${f.shop.name}】${f.title}（第${f.issue}号）`,
    (f) => `${f.month}のお便り｜${f.title}`,
    (f) => `＜${f.offer}＞${f.shop.name}メールマガジン 第${f.issue}号`,
    (f) => `第${f.issue}号：${f.teaser}`,
  ],
  first: [
    (f) => [
      { heading: f.title },
      `いつも${f.shop.name}をご愛顧いただき、ありがとうございます。第${f.issue}号をお届けします。${f.teaser}`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: '続きを読む' },
      { heading: `${f.month}のお知らせ` },
      `メールマガジンをお読みの皆様に、${f.offer}の特典をご用意しました。ログインするだけでご利用いただけます。`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `${f.shop.name}より、${f.month}のご挨拶` },
      `季節の変わり目、いかがお過ごしでしょうか。第${f.issue}号の特集は「${f.title}」です。${f.teaser}`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: '特集を見る' },
      `${f.evening}は夜九時まで営業いたします。${f.offer}も実施中です。`,
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: `${f.shop.name}通信 ${f.month}号` },
      {
        rows: [
          ['号数', `第${f.issue}号`],
          ['特集', f.title],
          ['読者特典', f.offer],
        ],
      },
      f.teaser,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: '今号を開く' },
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
    (f) => [
      { heading: '今号の目次' },
      `■ 特集：${f.title}\n${f.teaser}`,
      `■ 昨年もっとも読まれた記事を、もう一度`,
      `■ 読者特典：${f.offer}（第${f.issue}号限定）`,
      { link: `https://${f.shop.domain}/letters/${f.issue}`, label: '特集から読む' },
      unsubscribe(f.shop.name, f.shop.domain, f.reader),
    ],
  ],
  next: [
    [
      (f) => [
        { heading: 'お詫びと訂正' },
        `先日お送りした第${f.issue}号のリンクに誤りがございました。お詫びして訂正いたします。正しいページはこちらです。`,
        { link: `https://${f.shop.domain}/letters/${f.issue}`, label: f.title },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: 'まもなく終了です' },
        `第${f.issue}号でお知らせした「${f.offer}」は、まもなく終了いたします。お買い忘れはございませんか。`,
        { link: `https://${f.shop.domain}/letters/${f.issue}`, label: 'もう一度見る' },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
      (f) => [
        { heading: '読者の皆様から' },
        `「${f.title}」に、たくさんのお便りをいただきました。一部をウェブサイトでご紹介しております。`,
        { link: `https://${f.shop.domain}/letters/${f.issue}/replies`, label: 'お便りを読む' },
        unsubscribe(f.shop.name, f.shop.domain, f.reader),
      ],
    ],
  ],
  attachment: (f, index) =>
    index === 0 ? { fixture: 'logo.png', filename: `header_${f.issue}.png` } : undefined,
})

function unsubscribe(shop: string, domain: string, reader: number) {
  return {
    small: `このメールは、${shop}のメールマガジンにご登録いただいた方へお送りしています。\n配信停止はこちら： https://${domain}/leave?reader=${reader}`,
  }
}
