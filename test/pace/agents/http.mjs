// Polls with `node:http`, for the service and for its model.
import http from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { base, desk, headers, MODEL } from './desk.mjs'

const agent = new http.Agent({ keepAlive: true })

function send(url, method, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve(JSON.parse(text)))
    })
    request.on('error', reject)
    request.end(body)
  })
}

const call = (path, body) => {
  return send(`${base}/api/v1/${path}`, body ? 'POST' : 'GET', body && JSON.stringify(body))
}
const react = desk(call, () => send(MODEL, 'POST', '{}'))
for (;;) {
  await react()
  await setTimeout(500)
}
