import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { figureOf, inTurns, ratioOf } from '../rounds.mjs'
import { table } from '../table.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = `${root}dist/cli/main.cjs`
const story = `${root}examples/agents/refunds.yaml`
const runtime = [process.execPath, '--import', 'jiti/register']
const agent = [...runtime, `${root}examples/agents/typescript/careful.ts`]

/** Compares a play in the agent's own time with the start of the agent's runtime, which then has nothing to do. */
export async function plays({ quick, progress }) {
  const measured = await inTurns(
    {
      play: () => timeOf(() => run(process.execPath, program, 'replay', story, '--', ...agent)),
      start: () => timeOf(() => run(...runtime, '-e', '0')),
    },
    { rounds: quick ? 1 : 11, warmUp: quick ? 0 : 1, progress },
  )
  const beyond = measured.play.map((time, round) => time - 1.5 * measured.start[round])
  return {
    tables: [
      table(
        ['a story of two and a half minutes', 'played', 'the start of its command', 'ratio'],
        [
          [
            'time',
            figureOf(measured.play, 'ms'),
            figureOf(measured.start, 'ms'),
            ratioOf(measured.play, measured.start),
          ],
        ],
      ),
    ],
    figures: { plays: figureOf(beyond, 'ms') },
  }
}

/** Returns the time of a task in milliseconds. */
async function timeOf(act) {
  const begun = performance.now()
  await act()
  return performance.now() - begun
}

/** Runs a program to its end, whatever its status. */
function run(file, ...words) {
  return new Promise((resolve) => {
    execFile(file, words, { cwd: root }, () => resolve())
  })
}
