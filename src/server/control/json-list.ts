import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const pageLength = 50

/** Sends `{"<name>":[…]}` page by page. */
export function sendList<Item>(
  response: ServerResponse,
  name: string,
  items: readonly Item[],
  show: (item: Item) => object,
): Promise<void> {
  return sendPages(response, [`{${JSON.stringify(name)}:[`, ']}'], items, show)
}

/**
 * Sends JSON that ends in a list, page by page: thousands of exchanges with their bodies can exceed the maximum length
 * of a string. `before` and `after` are the text around the items.
 */
export async function sendPages<Item>(
  response: ServerResponse,
  [before, after]: readonly [string, string],
  items: readonly Item[],
  show: (item: Item) => object,
): Promise<void> {
  function* text(): Generator<string> {
    yield before
    for (let at = 0; at < items.length; at += pageLength) {
      const page = items.slice(at, at + pageLength).map((item) => JSON.stringify(show(item)))
      yield `${at > 0 ? ',' : ''}${page.join()}`
    }
    yield after
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  try {
    await pipeline(Readable.from(text()), response)
  } catch (error) {
    // A client that disconnects is not a defect of the simulator.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  }
}
