import { it } from 'vitest'
import { useFolder } from '../cli/temporary-folder.js'
import { plantedBugs } from './agents.js'
import { judge, type Row, runs, wanted } from './corpus.js'
import { failuresIn, searchAgent } from './search-agent.js'

const sample = [
  // The quick suite has one that retries too early.
  ...['handles-an-event-twice', 'leaves-out-the-last-page', 'reports-again-after-a-lost-answer'],
]

async function* rows(): AsyncGenerator<Row> {
  const count = runs || 30
  for (const { name, elements } of wanted(plantedBugs, sample)) {
    const folder = await useFolder()
    const { findings } = await searchAgent(name, count)
    const twin = await searchAgent(`${name}, careful`, count)
    const times = runs > 0 ? 20 : 3
    const [first] = findings
    const failures = first ? await failuresIn(folder(), name, first, times) : 0
    const found = first && ([first.foundAfterRuns, first.elements.length, first.failure.judgedBy] as const)
    yield { name, elements, found: found && [...found, `${failures}/${times}`], twin: twin.findings.length }
  }
}

it('finds the bugs planted in small TypeScript agents but none in their correct twins', {
  timeout: 7_200_000,
}, () => {
  return judge(rows())
})
