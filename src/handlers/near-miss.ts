import { operations } from '../contract/operations.js'

interface Documented {
  readonly method: string
  readonly path: string
}

interface Miss {
  readonly operation: Documented
  /** Segments that must be changed, added or left out; a little more where a parameter takes one. */
  readonly distance: number
}

/** How many segments a path outside /api/v1 may be from one of an operation to be taken for a slip of the pen. */
const slip = 2

/** What an unmatched request below /api/v1 came closest to, and why it missed it; null elsewhere. */
export function nearMiss(method: string, path: string): string | null {
  if (!isBelowApi(path)) return null
  const miss = nearestTo(method, path)
  return `${method} ${path}: ${explain(miss, path)}`
}

/** What a request outside /api/v1 was most likely meant for; null where that is none of the operations. */
export function likelyMeant(method: string, path: string): string | null {
  if (isBelowApi(path)) return null
  const miss = nearestTo(method, path)
  const name = miss.operation.path.split('/').findLast((segment) => !segment.startsWith('{')) as string
  if (miss.distance >= slip + 1 || !path.split('/').includes(name)) return null
  return `${method} ${path}: ${explain(miss, path)}`
}

function isBelowApi(path: string): boolean {
  return /^\/api\/v1(\/|$)/.test(path)
}

function nearestTo(method: string, path: string): Miss {
  const misses = Object.values(operations).map((operation): Miss => {
    const otherMethod = method === operation.method ? 0 : 0.5
    return { operation, distance: segmentsBetween(path, operation.path) + otherMethod }
  })
  return misses.toSorted((a, b) => a.distance - b.distance)[0] as Miss
}

function explain({ operation, distance }: Miss, path: string): string {
  const segments = Math.floor(distance)
  if (segments === 0) {
    const taken = Object.values(operations).filter((other) => other.path === operation.path)
    return `no such method; the path is that of ${taken.map(({ method }) => method).join(' and ')} ${operation.path}`
  }
  const name = `${operation.method} ${operation.path}`
  const slash =
    segments === 1 &&
    path.endsWith('/') &&
    Math.floor(segmentsBetween(path.slice(0, -1), operation.path)) === 0
  if (slash) return `no such path; ${name} has no slash at its end`
  return `no such path; ${name} differs in ${segments === 1 ? 'one segment' : `${segments} segments`}`
}

/** What it takes to make one segment the other; a parameter takes anything, but is less of a likeness. */
function costOfChange(segment: string, wanted: string): number {
  if (segment === wanted) return 0
  return wanted.startsWith('{') && segment !== '' ? 0.1 : 1
}

/** How many segments must be changed, added or left out to make one path the other. */
function segmentsBetween(path: string, documented: string): number {
  const given = path.split('/').slice(1)
  const wanted = documented.split('/').slice(1)
  let row = wanted.map((_, index) => index).concat(wanted.length)
  for (const [i, segment] of given.entries()) {
    const next = [i + 1]
    for (const [j, other] of wanted.entries()) {
      const change = (row[j] as number) + costOfChange(segment, other)
      next.push(Math.min(change, (row[j + 1] as number) + 1, (next[j] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
