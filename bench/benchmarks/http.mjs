import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentMailboxSim, bareNode, jsonServer, mockoon, prism } from '../candidates.mjs'
import { figureOf, inTurns, ratioOf } from '../rounds.mjs'
import { CannotMeasure, headers, mailboxOf } from '../shared.mjs'
import { expectPage, pageOf, start, temporaryFolder } from '../started.mjs'
import { table } from '../table.mjs'

const connections = 16

/** Measures `GET threads` over HTTP with the default page; all servers run, but load is put on one of them at a time. */
export async function http({ quick, progress }) {
  const messages = quick ? 1_000 : 100_000
  const servers = await startAll(messages, progress)
  const generator = startGenerator()
  const measured = await inTurns(
    Object.fromEntries(
      servers.map(({ name, url }) => [name, () => generator.load(name, url, quick ? 1 : 4)]),
    ),
    { rounds: quick ? 1 : 7, warmUp: quick ? 0 : 1, progress },
  )
  generator.end()
  await Promise.all(servers.map(({ stop }) => stop()))
  const ours = measured[servers[0].name]
  const against = (name) => ratioOf(ours, measured[name])
  return {
    tables: [
      table(
        [
          `GET threads (50 of ${messages.toLocaleString('en')} messages), 16 connections`,
          'responses',
          'ours against it',
        ],
        servers.map(({ name }) => [name, figureOf(measured[name], 'a second'), against(name)]),
      ),
    ],
    figures: {
      'http.json-server': against('json-server'),
      'http.prism': against('Prism'),
      'http.node': against('bare node:http'),
    },
  }
}

/** Starts all servers; each answers with the page of the first one, which is this simulator. */
async function startAll(messages, progress) {
  const folder = temporaryFolder()
  const scenario = join(folder, 'mailbox.json')
  await writeFile(scenario, JSON.stringify(mailboxOf(messages)))
  progress('starting this simulator')
  const servers = [await start(agentMailboxSim(scenario))]
  const page = await pageOf(servers[0])
  if (page.threads.length !== 50) {
    throw new CannotMeasure(`This simulator answers ${page.threads.length} threads; the bars are for 50.`)
  }
  for (const candidate of [jsonServer, prism, mockoon, bareNode]) {
    const prepared = await candidate(page, folder)
    progress(`starting ${prepared.name}`)
    const server = await start(prepared)
    await expectPage(server, page)
    servers.push(server)
  }
  return servers
}

function startGenerator() {
  const child = fork(fileURLToPath(new URL('../programs/load-generator.mjs', import.meta.url)), {
    execArgv: [],
  })
  const ended = once(child, 'exit').then(() => {
    throw new CannotMeasure('The load generator, autocannon, ended unexpectedly; its output is above.')
  })
  ended.catch(() => {})
  return {
    async load(name, url, seconds) {
      child.send({ url, headers, connections, seconds })
      const [{ perSecond, failed }] = await Promise.race([once(child, 'message'), ended])
      if (failed === 0) return perSecond
      throw new CannotMeasure(`${name} failed ${failed} requests under load; try again on a quieter machine.`)
    },
    end: () => child.kill(),
  }
}
