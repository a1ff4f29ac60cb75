import type { Random } from '../../../../world/random.js'

/** A made-up firm and the domain it writes from. */
export interface Firm {
  readonly name: string
  readonly domain: string
}

const EMPLOYERS: readonly Firm[] = [
  { name: '株式会社つむぎ野食品', domain: 'tsumugino-foods.example' },
  { name: '白樺坂歯科クリニック', domain: 'shirakabazaka-dental.example' },
  { name: '有限会社こはく堂印刷', domain: 'kohakudo-print.example' },
  { name: '月見橋運輸株式会社', domain: 'tsukimibashi-unyu.example' },
  { name: '学校法人ふじな学園', domain: 'fujina-gakuen.example' },
  { name: '合同会社すずかぜデザイン', domain: 'suzukaze-design.example' },
  { name: '株式会社あさぎり坂ホテル', domain: 'asagirizaka-hotel.example' },
  { name: '株式会社くるみ台システムズ', domain: 'kurumidai-systems.example' },
  { name: '医療法人うぐいす坂会', domain: 'uguisuzaka-clinic.example' },
  { name: '株式会社やなぎ瀬工務店', domain: 'yanagise-koumuten.example' },
]

const SHOPS: readonly Firm[] = [
  { name: '文具のまめつぶ', domain: 'mametsubu.example' },
  { name: '珈琲工房ねむり木', domain: 'nemuriki-coffee.example' },
  { name: '道具屋かざみどり', domain: 'kazamidori-dougu.example' },
  { name: 'オフィス通販ポッケ便', domain: 'pokkebin.example' },
  { name: '紙と箱の店ころもがえ', domain: 'koromogae.example' },
  { name: '暮らしの雑貨ゆずりは堂', domain: 'yuzurihado.example' },
  { name: 'Nagare Works オンラインストア', domain: 'nagareworks.example' },
]

const ROLES = [
  '総務部',
  '購買課　課長',
  '営業部　主任',
  '経理部',
  '情報システム課',
  '管理本部　係長',
  '店長',
] as const

/** Draws the firm somebody works for. */
export function drawEmployer(random: Random): Firm {
  return random.pick(EMPLOYERS)
}

/** Draws a shop that writes to its customers. */
export function drawShop(random: Random): Firm {
  return random.pick(SHOPS)
}

/** Draws where in their firm somebody works, e.g. `営業部　主任`. */
export function drawRole(random: Random): string {
  return random.pick(ROLES)
}
