import { isDeepStrictEqual } from 'node:util'
import { CannotMeasure } from '../command/cannot-measure.mjs'
import { headers } from '../mailbox.mjs'

/** The page of threads that a started candidate answers. */
export async function pageOf({ name, url }) {
  const answer = await fetch(url, { headers })
  if (answer.status !== 200)
    throw new CannotMeasure(`${name} answered ${answer.status} to GET ${url}, not 200.`)
  return answer.json()
}

/** Refuses a candidate that does not answer the same page, up to how the JSON is laid out. */
export async function expectPage(started, page) {
  const answered = await pageOf(started)
  if (isDeepStrictEqual(answered, page)) return
  const count = answered?.threads?.length ?? 'no'
  throw new CannotMeasure(
    `${started.name} answers ${count} threads that are not the ${page.threads.length} of this simulator. ` +
      `Its figures would not compare; look at what bench/candidates/ gives it.`,
  )
}
