import type { Random } from '../../../../world/random.js'
import { tradeOf } from '../../facts/catalogue.js'

/** A thing on sale. */
export interface Product {
  /** What people call it, e.g. `LEDデスクライト`. */
  readonly item: string
  /** Its price in yen, tax included. */
  readonly yen: number
}

type Goods = readonly (readonly [name: string, yen: number])[]

const HOME: Goods = [
  ['羽毛掛け布団', 18_800],
  ['ホーロー鍋', 7_480],
  ['電気ケトル', 5_980],
  ['木製ハンガーラック', 9_900],
  ['遮光カーテン', 6_480],
  ['ステンレス水筒', 3_280],
  ['折りたたみローテーブル', 8_250],
  ['珪藻土バスマット', 2_980],
]

const OFFICE: Goods = [
  ['LEDデスクライト', 6_800],
  ['メッシュオフィスチェア', 24_800],
  ['モニターアーム', 11_800],
  ['ワイヤレスキーボード', 8_980],
  ['USB-C充電器', 4_280],
  ['ラベルプリンター', 9_480],
  ['電動シュレッダー', 13_200],
  ['ホワイトボード', 7_700],
]

const OUTDOOR: Goods = [
  ['二人用テント', 22_000],
  ['登山用リュックサック', 13_800],
  ['寝袋', 9_980],
  ['LEDランタン', 4_980],
  ['クーラーボックス', 8_800],
  ['レインジャケット', 12_100],
  ['シングルバーナー', 6_600],
  ['アウトドアチェア', 5_480],
]

const RANGES: readonly Goods[] = [HOME, OFFICE, OUTDOOR]
const COLOURS = ['', '', '（ホワイト）', '（ネイビー）', '（グレー）', '（カーキ）'] as const

/** Draws something the company sells; a company always sells the same range of goods. */
export function drawProduct(random: Random, company: string): Product {
  const [name, yen] = random.pick(tradeOf(RANGES, company))
  const near = Math.round((yen * (0.85 + random.next() * 0.3)) / 10) * 10
  return { item: `${name}${random.pick(COLOURS)}`, yen: near }
}
