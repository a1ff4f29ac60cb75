import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentMailboxSim, bareNode, jsonServer, mockoon, prism } from '../candidates.mjs'
import { figureOf, inTurns, ratioOf } from '../rounds.mjs'
import { pageOf, start, temporaryFolder } from '../started.mjs'
import { table } from '../table.mjs'

/** Measures the time from spawning a server to its first 200; it is polled every two milliseconds. */
export async function coldStart({ quick, progress }) {
  const candidates = await allCandidates()
  const measured = await inTurns(
    Object.fromEntries(candidates.map((candidate) => [candidate.name, () => timeToStart(candidate)])),
    { rounds: quick ? 1 : 11, warmUp: quick ? 0 : 1, progress },
  )
  const against = (name) => ratioOf(measured[name], measured['json-server'])
  return {
    tables: [
      table(
        ['cold start, to the first 200', 'time', 'against json-server'],
        candidates.map(({ name }) => [name, figureOf(measured[name], 'ms'), against(name)]),
      ),
    ],
    notes: ['vercel-labs/emulate 0.8 took 131 ms, with Node 24, on another machine.'],
    figures: {
      'cold-start.support-desk': against('serve support-desk'),
      'cold-start.own': against(ownName),
    },
  }
}

const ownName = 'serve ./own.yaml, 21 threads'

/** A user's own file, which is not prepared when the package is built: one written thread, twenty generated ones. */
const own = `
scenario: own
organization: { api_keys: [test-key] }
identities:
  - handle: support
    threads:
      - subject: Refund
        messages: [{ from: Ann <ann@mail.example>, text: Where is it? }]
    generate: { threads: 20 }
`

/**
 * Returns this simulator with its default scenario, with an almost empty one and with a user's own file, and the other
 * candidates with the page of the default scenario.
 */
async function allCandidates() {
  const ours = agentMailboxSim('support-desk', 'serve support-desk')
  const server = await start(ours)
  const page = await pageOf(server)
  await server.stop()
  const folder = temporaryFolder()
  const others = await Promise.all(
    [jsonServer, prism, mockoon, bareNode].map((candidate) => candidate(page, folder)),
  )
  const file = join(folder, 'own.yaml')
  writeFileSync(file, own)
  return [ours, agentMailboxSim('empty', 'serve empty'), agentMailboxSim(file, ownName), ...others]
}

async function timeToStart(candidate) {
  const { took, stop } = await start(candidate)
  await stop()
  return took
}
