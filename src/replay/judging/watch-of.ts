import type { Expectation } from '../../world/index.js'
import { DeliveryWatch } from './delivery-watch.js'
import { ErrorsWatch } from './errors-watch.js'
import { ReliancesWatch } from './reliances-watch.js'
import { RequestWatch } from './request-watch.js'
import { StateWatch } from './state-watch.js'
import type { Story, Watch } from './watch.js'

/** Watches a story for one expectation. */
export function watchOf(expectation: Expectation, story: Story): Watch {
  switch (expectation.kind) {
    case 'request':
      return new RequestWatch(expectation, story)
    case 'delivery':
      return new DeliveryWatch(expectation, story)
    case 'reliances':
      return new ReliancesWatch(expectation, story)
    case 'errors':
      return new ErrorsWatch(expectation, story)
    default:
      return new StateWatch(expectation, story)
  }
}
