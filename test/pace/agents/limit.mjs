// Gives up a request to the service after a number of seconds, and ends: by fetch or http.
import http from 'node:http'
import { base, headers, pause } from './desk.mjs'

const [, , how, seconds] = process.argv
const limit = 1000 * Number(seconds)
const url = `${base}/api/v1/mail/threads?agent=support`
const ways = {
  fetch: async () => (await fetch(url, { headers, signal: AbortSignal.timeout(limit) })).text(),
  http: () =>
    new Promise((resolve, reject) => {
      const request = http.get(url, { headers }, (response) => response.on('end', resolve).resume())
      request.setTimeout(limit, () => request.destroy(new Error('too late')))
      request.on('error', reject)
    }),
}
for (;;) {
  await ways[how]()
  await pause(20)
}
