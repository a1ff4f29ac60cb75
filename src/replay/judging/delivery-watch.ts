import { counted } from '../../contract/counted.js'
import { shownUrl } from '../../simulator/delivery-matching.js'
import { showValue } from '../../simulator/matching.js'
import {
  type DeliveryExpectation,
  type DeliveryStatus,
  deliveryStatuses,
  formatInstant,
} from '../../world/index.js'
import { describeAmount, oneTooMany } from './amount.js'
import type { KnownDelivery } from './delivery-book.js'
import type { Moment } from './moment.js'
import { TimeWindow } from './time-window.js'
import type { Finding, Nearest, News, Story, Watch } from './watch.js'

/** A delivery with what keeps it from being one that is meant. */
interface Compared {
  readonly delivery: KnownDelivery
  readonly differences: readonly string[]
}

/** Watches deliveries of an event type; what counts is what became of them in the end. */
export class DeliveryWatch implements Watch {
  readonly expected: string
  /** What a delivery's status comes to may change as long as the story goes on. */
  readonly decided = false
  readonly #expectation: DeliveryExpectation
  readonly #story: Story
  readonly #window: TimeWindow
  readonly #url: string | null
  /** Those that count as they are now. */
  readonly #counting = new Set<string>()
  #cameTrue: Moment | undefined

  constructor(expectation: DeliveryExpectation, story: Story) {
    this.#expectation = expectation
    this.#story = story
    this.#window = new TimeWindow(expectation.window, story.moments, { isBrought: true })
    this.#url = expectation.url === null ? null : shownUrl(expectation.url, story.simulator.masker)
    this.expected = this.#describe()
  }

  get cameTrue(): Moment | undefined {
    return this.#cameTrue
  }

  take(news: News): void {
    if (news.type !== 'delivery' || news.delivery.event.type !== this.#expectation.event) return
    const { id } = news.delivery
    const delivery = this.#story.deliveries.get(id)
    if (delivery && this.#differences(delivery).length === 0) this.#counting.add(id)
    else this.#counting.delete(id)
    const { least } = this.#expectation.amount
    if (least > 0 && this.#counting.size >= least) this.#cameTrue ??= news.moment
  }

  judge(end: number): Finding {
    const { least, most } = this.#expectation.amount
    const compared = this.#compare()
    const counting = compared.filter(({ differences }) => differences.length === 0)
    const found = this.#found(compared, counting.length)
    const over = most === null ? undefined : counting[most]
    if (over && most !== null) {
      const nearest = nearestOf(over.delivery, [oneTooMany(most, 'delivery')])
      return { passed: false, found, nearest }
    }
    const passed = counting.length >= least
    const at = this.#window.endBy(end)
    return { passed, at, found, nearest: passed ? null : whatCameNearest(compared) }
  }

  #compare(): Compared[] {
    return this.#story.deliveries.of(this.#expectation.event).map((delivery) => {
      return { delivery, differences: this.#differences(delivery) }
    })
  }

  #differences(delivery: KnownDelivery): string[] {
    return [...this.#mismatches(delivery), ...this.#outOfTime(delivery)]
  }

  #mismatches({ status, url }: KnownDelivery): string[] {
    const { status: wanted } = this.#expectation
    const isOther = wanted !== null && wanted !== status
    const isElsewhere = this.#url !== null && this.#url !== url
    return [
      ...(isOther ? [`status: expected ${wanted}, found ${status}`] : []),
      ...(isElsewhere ? [`url: expected ${showValue(this.#url)}, found ${showValue(url)}`] : []),
    ]
  }

  /** One whose status is expected counts when it comes to that, any other when its event happens. */
  #outOfTime({ began, reached }: KnownDelivery): string[] {
    const { status } = this.#expectation
    return this.#window.differences(status === null ? began : reached, began)
  }

  #found(compared: readonly Compared[], counting: number): string {
    const { event } = this.#expectation
    const { missing } = this.#window
    const lacks = missing === undefined ? '' : `; ${missing} did not come`
    if (compared.length === 0) return `no delivery of ${event}; ${this.#whyNone()}${lacks}`
    const all = counted(compared.length, 'delivery', 'deliveries')
    return `${counting} of ${all} of ${event}: ${statusesOf(compared)}${lacks}`
  }

  #whyNone(): string {
    const count = this.#story.deliveries.happened(this.#expectation.event)
    if (count === 0) return 'it did not happen'
    return `it happened ${count === 1 ? 'once' : `${count} times`}, and no subscription was told`
  }

  #describe(): string {
    const { event, status, amount } = this.#expectation
    return [
      `${describeAmount(amount, 'delivery', 'deliveries')} of ${event}`,
      this.#url === null ? '' : `to ${this.#url}`,
      status === null ? '' : `with status ${status}`,
      this.#window.describe(),
    ]
      .filter((part) => part !== '')
      .join(' ')
  }
}

/** How many there are of each status: `38 succeeded, 4 failed`. */
function statusesOf(compared: readonly Compared[]): string {
  const count = (status: DeliveryStatus): number => {
    return compared.filter(({ delivery }) => delivery.status === status).length
  }
  return deliveryStatuses
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status}`)
    .join(', ')
}

/** The delivery with the fewest differences; of equals the first. */
function whatCameNearest(compared: readonly Compared[]): Nearest | null {
  const [nearest] = compared
    .filter(({ differences }) => differences.length > 0)
    .toSorted((a, b) => a.differences.length - b.differences.length)
  if (!nearest) return null
  const { delivery, differences } = nearest
  const isOther = differences.some((line) => line.startsWith('status:'))
  return nearestOf(delivery, [...differences, ...(isOther ? delivery.reasons : [])])
}

function nearestOf(delivery: KnownDelivery, differences: readonly string[]): Nearest {
  return {
    line: delivery.line,
    exchange: null,
    at: formatInstant(delivery.began.at),
    differences,
  }
}
