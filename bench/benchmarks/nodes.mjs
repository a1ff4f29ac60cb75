import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { figureOf, largestOf } from '../rounds.mjs'
import { CannotMeasure, mailboxOf } from '../shared.mjs'
import { start, temporaryFolder } from '../started.mjs'
import { table } from '../table.mjs'
import { candidate, startStore } from './state.mjs'

const takeover = 'takeover from a server that was killed'
const path = '/api/v1/identities/agent'
const body = JSON.stringify({ description: 'Answers customers.' })
const type = { 'content-type': 'application/json' }

/** Measures servers that share a store, and the load on the store, with latencies as between machines. */
export async function nodes({ quick, progress }) {
  const measured = {}
  for (const delay of quick ? [1] : [0, 1, 5]) {
    progress(`${delay} ms to the store`)
    const folder = temporaryFolder()
    const store = await startStore(folder)
    // Without a store there is nothing to measure; `state` does the same.
    if (!store) return { tables: [], figures: {} }
    measured[`${delay} ms`] = await measureAt(store, folder, delay, quick ? { worlds: 12, seconds: 1 } : {})
  }
  const [first] = Object.values(measured)
  return {
    tables: [
      table(
        ['three servers, one store, this far from it', ...Object.keys(measured)],
        Object.keys(first).map((what) => [what, ...Object.values(measured).map((all) => all[what])]),
      ),
    ],
    figures: { 'nodes.takeover': largestOf(Object.values(measured).map((all) => all[takeover])) },
  }
}

async function measureAt(store, folder, delay, { worlds = 300, seconds = 5 }) {
  const scenario = join(folder, 'mailbox.json')
  writeFileSync(scenario, JSON.stringify({ ...mailboxOf(1000), seed: 1 }))
  const link = fork(fileURLToPath(new URL('../programs/slow-link.mjs', import.meta.url)), [store.port, delay])
  const [{ port }] = await once(link, 'message')
  const flags = ['--state', `redis://127.0.0.1:${port}`]
  const servers = []
  // One after another, because each takes over the world of its first request.
  for (let index = 0; index < 3; index++) {
    servers.push(await start(candidate(`server ${index + 1}`, scenario, flags, path)))
  }
  const info = (name) => execFileSync(store.client, ['-p', store.port, 'info', name], { encoding: 'utf8' })
  const number = (text, name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1])
  const busy = () => {
    const text = info('cpu')
    return (number(text, 'used_cpu_user') + number(text, 'used_cpu_sys')) * 1e6
  }
  const memory = () => number(info('memory'), 'used_memory')

  const before = memory()
  const made = await timed(worlds, () => ask(servers[0], '/_sim/worlds', {}, 'POST', '{}'))
  const all = made.answers.map(({ api_key: key }, index) => ({ key, home: servers[index % 3] }))
  const records = memory()
  const change = ({ key, home }, server = home) =>
    ask(server, path, { authorization: `Bearer ${key}` }, 'PATCH', body)
  const read = ({ key, home }) => ask(home, path, { authorization: `Bearer ${key}` })
  const claimed = await timed(worlds, (index) => change(all[index]))
  const logs = memory()
  const [writes, reads] = [await load(all, change, seconds, busy), await load(all, read, seconds, busy)]

  const [killed, stopped, last] = servers
  await killed.stop()
  const few = (home) => all.filter((world) => world.home === home).slice(0, 20)
  const afterKill = await timed(few(killed).length, (index) => change(few(killed)[index], last))
  await stopped.stop('SIGTERM')
  const afterStop = await timed(few(stopped).length, (index) => change(few(stopped)[index], last))
  await last.stop()
  link.kill()
  store.stop()
  const each = (bytes) => figureOf([bytes / worlds], 'B')
  return {
    'making a world': figureOf(made.took, 'ms'),
    'its record in the store': each(records - before),
    'its first change': figureOf(claimed.took, 'ms'),
    'its log in the store, with one change': each(logs - records),
    'changes, 32 clients': figureOf([writes.perSecond], 'a second'),
    "the store's processor for one change": figureOf([writes.each], 'µs'),
    'reads, 32 clients': figureOf([reads.perSecond], 'a second'),
    "the store's processor for one read": figureOf([reads.each], 'µs'),
    [takeover]: figureOf(afterKill.took, 'ms'),
    'takeover from one that was stopped': figureOf(afterStop.took, 'ms'),
  }
}

async function ask(server, at, headers, method = 'GET', content = undefined) {
  const answer = await fetch(new URL(at, server.url), {
    method,
    headers: { ...type, ...headers },
    body: content,
  })
  if (!answer.ok) throw new CannotMeasure(`${server.name} answered ${answer.status} to ${method} ${at}.`)
  return answer.json()
}

/** Makes calls, four at a time; returns the answers, and how many milliseconds each took. */
async function timed(times, call) {
  const [answers, took] = [[], []]
  const places = Array.from({ length: times }, (_, index) => index)
  const work = async () => {
    for (let index = places.shift(); index !== undefined; index = places.shift()) {
      const began = performance.now()
      answers[index] = await call(index)
      took.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return { answers, took }
}

/** Lets 32 clients call for some seconds, each with its own worlds; returns the rate and the store's time for a call. */
async function load(worlds, call, seconds, busy) {
  const [before, began] = [busy(), performance.now()]
  let calls = 0
  const client = async (_, index) => {
    const own = worlds.filter((_, place) => place % 32 === index)
    for (let turn = 0; own.length > 0 && performance.now() - began < seconds * 1000; turn++, calls++) {
      await call(own[turn % own.length])
    }
  }
  await Promise.all(Array.from({ length: 32 }, client))
  return { perSecond: (calls / (performance.now() - began)) * 1000, each: (busy() - before) / calls }
}
