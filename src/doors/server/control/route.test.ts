import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { stopwatch } from '../../../service/time/wall-time.js'
import { sendText } from './route.js'

/** A response to a client that reads faster than anything can be written. */
function fastResponse() {
  const received: string[] = []
  const response = new Writable({
    write(chunk: Buffer, _encoding, done) {
      received.push(String(chunk))
      done()
    },
  })
  return { response: Object.assign(response, { writeHead: () => response }), received }
}

it('lets others be answered while a long text is formatted', async () => {
  const { response, received } = fastResponse()
  let others = 0
  const other = (): void => {
    others++
    if (!response.writableEnded) setImmediate(other)
  }
  setImmediate(other)
  function* pieces() {
    for (let piece = 0; piece < 5; piece++) {
      const elapsed = stopwatch()
      while (elapsed() < 30);
      yield `${piece}`
    }
  }
  await sendText(response as unknown as ServerResponse, pieces())
  expect(received.join('')).toBe('01234')
  expect(others).toBeGreaterThan(3)
})
