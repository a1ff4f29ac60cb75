import { it } from 'vitest'
import { useProgram } from '../cli/program.js'
import { useFolder } from '../cli/temporary-folder.js'
import { judge, type Row, runs, wanted } from './corpus.js'
import { fuzzPython, hasPython, pythonBugs } from './python-agents.js'

const start = useProgram()

/** A process for each plan takes minutes, so only `npm run check:fuzz` runs all of them. */
async function* rows(): AsyncGenerator<Row> {
  // A sample whose outcome does not depend on the speed of the machine.
  const [count, flags] = runs > 0 ? [runs, []] : [10, ['--vary', 'readings', '--seed', '4']]
  for (const { name, elements } of wanted(pythonBugs, ['stops-at-total'])) {
    const folder = await useFolder()
    const { findings } = await fuzzPython(start, folder, [name], count, ...flags)
    const twin = await fuzzPython(start, folder, [name, '--careful'], count, ...flags)
    const times = runs > 0 ? 20 : 2
    const [first] = findings
    const failures = first ? await failuresOf(first.again, times) : 0
    const found = first && ([first.found_after_runs, first.elements.length, first.judged_by] as const)
    const row = { name: `${name} (Python)`, elements, twin: twin.findings.length }
    yield { ...row, found: found && [...found, `${failures}/${times}`] }
  }
}

/** Counts how often a command of a report fails. */
async function failuresOf(again: string, times: number): Promise<number> {
  const [, ...args] = again.split(' ')
  let failures = 0
  for (let time = 0; time < times; time++) if ((await start(...args).outcome).status === 1) failures++
  return failures
}

const finds = hasPython ? it : it.skip
finds(
  'finds the bugs planted in small Python agents but none in their correct twins',
  { timeout: 7_200_000 },
  () => {
    return judge(rows())
  },
)
