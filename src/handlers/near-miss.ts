import { operations } from '../contract/operations.js'

interface Miss {
  readonly text: string
  readonly distance: number
}

/** What an unmatched request below /api/v1 came closest to, and why it missed it; null elsewhere. */
export function nearMiss(method: string, path: string): string | null {
  if (!/^\/api\/v1(\/|$)/.test(path)) return null
  const misses = Object.values(operations).map((operation) => missOf(method, path, operation))
  const [nearest] = misses.toSorted((a, b) => a.distance - b.distance)
  return nearest ? `${method} ${path}: no such operation; ${nearest.text}` : null
}

function missOf(
  method: string,
  path: string,
  operation: { readonly method: string; readonly path: string },
): Miss {
  const given = path.split('/').slice(1)
  const wanted = operation.path.split('/').slice(1)
  const name = `${operation.method} ${operation.path}`
  const distance = differences(given, wanted)
  const different = Math.floor(distance)
  const otherMethod = method === operation.method ? 0 : 0.5
  if (different === 0) {
    return { distance: distance + otherMethod, text: `the path is that of ${name}, the method is not` }
  }
  const segments = different === 1 ? 'one segment' : `${different} segments`
  return { distance: distance + otherMethod, text: `${name} differs in ${segments}` }
}

/** What it takes to make one segment the other; a parameter takes anything, but is less of a likeness. */
function costOfChange(segment: string, wanted: string): number {
  if (segment === wanted) return 0
  return wanted.startsWith('{') && segment !== '' ? 0.1 : 1
}

/** How many segments must be changed, added or left out to make one path the other. */
function differences(given: readonly string[], wanted: readonly string[]): number {
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
