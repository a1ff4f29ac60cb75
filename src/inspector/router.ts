import { computed, signal } from '@preact/signals'
import { decodePercent } from '../base/text.js'
import { searchOf } from './request-code.js'

/** The screens, in the order of the navigation; `report` is only in recordings. */
export const screens = ['report', 'mailbox', 'traffic', 'deliveries', 'story', 'gaps', 'controls'] as const

export type ScreenName = (typeof screens)[number]

interface Location {
  readonly screen: ScreenName
  /** The parts of the address after the screen's name, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** The current place in the page, parsed from the address. */
export const place = computed<Location>(() => {
  const [path = '', search = ''] = hash.value.replace(/^#\/?/, '').split('?', 2)
  const [name, ...rest] = path.split('/').filter(Boolean).map(decodePercent)
  const screen = screens.find((known) => known === name) ?? 'mailbox'
  return { screen, path: rest, query: new URLSearchParams(search) }
})

type Query = Readonly<Record<string, string>>

/** Returns the address of a place in the page, e.g. `#/traffic/12?status=5xx`. */
export function href(screen: ScreenName, path: readonly string[] = [], query: Query = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== '')
  const parts = [screen, ...path].map(encodeURIComponent).join('/')
  return `#/${parts}${searchOf(Object.fromEntries(entries))}`
}

/** Returns the address of a request. */
export function requestHref(seq: number): string {
  return href('traffic', [String(seq)])
}

/** Changes the query of the current place without a new entry in the browser's history. */
export function setQuery(query: Query): void {
  const { screen, path } = place.value
  const address = href(screen, path, { ...Object.fromEntries(place.value.query), ...query })
  history.replaceState(null, '', address)
  hash.value = location.hash
}
