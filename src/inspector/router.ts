import { computed, signal } from '@preact/signals'
import { decodePercent } from '../base/text.js'
import { searchOf } from './curl.js'

/** The screens, in the order of the navigation; `report` is only in recordings. */
export const screens = ['report', 'mailbox', 'traffic', 'deliveries', 'story', 'gaps', 'controls'] as const

export type ScreenName = (typeof screens)[number]

export interface Location {
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
export const place = computed<Location>(() => parse(hash.value))

/** Returns the address of a place in the page, e.g. `#/traffic/12?status=5xx`. */
export function href(screen: ScreenName, path: readonly string[] = [], query: Query = {}): string {
  const entries = Object.entries(query).filter(([, value]) => value !== '')
  const parts = [screen, ...path].map(encodeURIComponent).join('/')
  return `#/${parts}${searchOf(Object.fromEntries(entries))}`
}

type Query = Readonly<Record<string, string>>

/** Navigates to a place, with an entry in the browser's history, or in place of the current one. */
export function navigate(address: string, replace = false): void {
  if (replace) {
    history.replaceState(null, '', address)
    hash.value = location.hash
  } else {
    location.hash = address
  }
}

/** Changes the query of the current place without a new entry in the browser's history. */
export function setQuery(query: Query): void {
  const { screen, path } = place.value
  navigate(href(screen, path, { ...Object.fromEntries(place.value.query), ...query }), true)
}

const wideScreen = matchMedia('(min-width: 60.01rem)')
const wide = signal(wideScreen.matches)
wideScreen.addEventListener('change', ({ matches }) => {
  wide.value = matches
})

/** Whether a list and the open item are both visible. */
export const isWide = computed(() => wide.value)

/** Returns how far a part of the page was scrolled when the browser's history was last here; undefined the first time. */
export function keptScroll(part: string): number | undefined {
  return (history.state as Readonly<Record<string, number>> | null)?.[part]
}

/** Keeps how far a part of the page is scrolled in the current entry of the browser's history. */
export function keepScroll(part: string, top: number): void {
  if (keptScroll(part) !== top) history.replaceState({ ...history.state, [part]: top }, '')
}

function parse(text: string): Location {
  const [path = '', search = ''] = text.replace(/^#\/?/, '').split('?', 2)
  const [name, ...rest] = path.split('/').filter(Boolean).map(decodePercent)
  // The screen of gaps had another name once, and people keep addresses.
  const wanted = name === 'assumptions' ? 'gaps' : name
  const screen = screens.find((known) => known === wanted) ?? 'mailbox'
  return { screen, path: rest, query: new URLSearchParams(search) }
}
