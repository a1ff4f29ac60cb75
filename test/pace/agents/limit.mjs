// Gives up a request to the service after a number of seconds, and ends: by fetch, fetch-race or http.
import http from 'node:http'
import { base, headers, pause } from './desk.mjs'

const [, , how, seconds] = process.argv
const limit = 1000 * Number(seconds)
const url = `${base}/api/v1/mail/threads?agent=support`
const ways = {
  fetch: async () => (await fetch(url, { headers, signal: AbortSignal.timeout(limit) })).text(),
  controller: async () => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), limit)
    const text = await (await fetch(url, { headers, signal: controller.signal })).text()
    clearTimeout(timer)
    return text
  },
  race: () => {
    const late = pause(limit / 1000).then(() => Promise.reject(new Error('too late')))
    return Promise.race([fetch(url, { headers }).then((response) => response.text()), late])
  },
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
