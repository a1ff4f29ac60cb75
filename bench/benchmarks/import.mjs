import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { figureOf, inTurns } from '../rounds.mjs'
import { table } from '../table.mjs'

const run = promisify(execFile)
const program = fileURLToPath(new URL('../programs/import-once.mjs', import.meta.url))
const library = new URL('../../dist/index.js', import.meta.url).href

const small = {
  scenario: 'small',
  identities: [
    {
      handle: 'agent',
      threads: [
        {
          subject: 'Refund',
          messages: [{ from: 'Ann <ann@mail.example>', at: '-1h', text: 'Where is it?' }],
        },
      ],
    },
  ],
}

const generating = { scenario: 'generating', identities: [{ handle: 'agent', generate: { threads: 20 } }] }

const candidates = {
  'the library and a small scenario': [program, library, JSON.stringify(small)],
  'the library and 20 generated threads': [program, library, JSON.stringify(generating)],
  'the library and support-desk': [program, library, '"support-desk"'],
  'the library alone': [program, library],
  "import 'msw'": [program, 'msw'],
  'node -e 0': ['-e', '0'],
}

const columns = {
  import: (times) => times.import,
  createSimulator: ({ create }) => create,
  both: (times) => times.import + times.create,
  'Node before it': ({ node }) => node,
  'whole process': ({ all }) => all,
}

/** Measures processes that import the library and create a simulator, from their first line, and the parts of that. */
export async function importing({ quick, progress }) {
  const measured = await inTurns(
    Object.fromEntries(Object.entries(candidates).map(([name, args]) => [name, () => timesOf(args)])),
    { rounds: quick ? 1 : 15, warmUp: quick ? 0 : 1, progress },
  )
  const cells = (runs) => Object.values(columns).map((time) => figureOf(runs.map(time), 'ms'))
  return {
    tables: [
      table(
        ['a process of its own', ...Object.keys(columns)],
        Object.entries(measured).map(([name, runs]) => [name, ...cells(runs).map(blankUnlessKnown)]),
      ),
    ],
    figures: { import: figureOf(measured['the library and a small scenario'].map(columns.both), 'ms') },
  }
}

/** Returns an empty cell for a part that a process does not have. */
function blankUnlessKnown(figure) {
  return Number.isFinite(figure.median) ? figure : ''
}

async function timesOf(args) {
  const before = performance.now()
  const { stdout } = await run(process.execPath, args)
  const all = performance.now() - before
  return { ...(stdout && JSON.parse(stdout)), all }
}
