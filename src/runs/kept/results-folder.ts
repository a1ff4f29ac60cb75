import { join, relative, resolve } from 'node:path'
import type { Simulator } from '../../doors/simulator/simulator.js'
import type { LoggedChange } from '../../service/record/log.js'
import type { DeliveryState } from '../../service/webhooks/delivery.js'
import { type ToldTraffic, toldStory } from '../../service/world/told-story.js'
import { storyOf } from '../../story/overlays/story.js'
import { shippedScenarios } from '../../story/source/find-scenario.js'
import { writeFileWhole } from '../reports/write-file.js'
import { type ResultsDocument, resultsFormat, resultsVersion } from './document.js'
import { copyStory, type StoryFiles } from './story-copy.js'

/**
 * Keeps the play that a report shows in a folder of results: `results.json`, with what happened beside it, and a copy of its story.
 * @throws an error of the file system
 */
export async function keepPlay(folder: string, simulator: Simulator, story: StoryFiles): Promise<void> {
  const { scenario, extend = [] } = story
  const { seed, start } = simulator
  const shipped = ['common', ...(await shippedScenarios())]
  const named = (name: string): string => (shipped.includes(name) ? name : fromFolder(folder, name))
  const copy = shipped.includes(scenario) ? undefined : await copyStory(folder, story)
  const laid = storyOf(simulator.paced).overlays.flatMap(({ attacks }) => attacks ?? [])
  const [attacks] = laid.map(({ names, form }) => ({ names: [...names], form }))
  const document: ResultsDocument = {
    format: resultsFormat,
    version: resultsVersion,
    scenario: named(scenario),
    ...(copy !== undefined && { copy }),
    extend: extend.map(named),
    ...{ seed, start },
    ...(attacks && { attacks }),
    ...(await keepWorld(folder, simulator)),
  }
  await writeFileWhole(join(folder, 'results.json'), `${JSON.stringify(document, null, 2)}\n`)
}

/** Writes what happened in a world, as far as it is known. */
async function keepWorld(folder: string, simulator: Simulator) {
  const told = toldStory(simulator.paced)
  if (!told) return { exchanges: 0, commands: null, traffic: null }
  const write = async (name: string, lines: readonly object[]): Promise<string> => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    await writeFileWhole(join(folder, name), text)
    return name
  }
  const entries = told.entries.map((entry) => withoutHeaders(entry, simulator))
  const traffic = told.traffic?.map((one) => ('delivery' in one ? withoutHeaders(one, simulator) : one))
  return {
    exchanges: told.entries.filter(({ type }) => type === 'exchange').length,
    commands: await write('commands.jsonl', entries),
    traffic: traffic ? await write('traffic.jsonl', traffic) : null,
  }
}

/** Returns something about a delivery without the tokens in the headers of past attempts, on which nothing depends. */
function withoutHeaders<Entry extends LoggedChange | ToldTraffic>(
  entry: Entry,
  { paced: { masker } }: Simulator,
): Entry {
  if (!('delivery' in entry) || typeof entry.delivery !== 'object') return entry
  const { delivery } = entry as unknown as { readonly delivery: Pick<DeliveryState, 'attempts'> }
  const attempts = delivery.attempts.map((attempt) => {
    return { ...attempt, headers: masker.headers(Object.entries(attempt.headers)) }
  })
  return { ...entry, delivery: { ...delivery, attempts } }
}

function fromFolder(folder: string, name: string): string {
  const path = relative(resolve(folder), resolve(name)).replaceAll('\\', '/')
  return path.startsWith('.') ? path : `./${path}`
}
