import { createSimulator } from '../../doors/simulator/create-simulator.js'
import { judgedBy, type OtherExpectations } from '../../story/other-expectations.js'
import type { Story } from '../../story/overlays/story.js'
import { RunError } from '../errors.js'
import { loadStory } from '../load-story.js'
import type { ReplayReport } from '../replay/outcome.js'
import { reportOf } from '../replay/replay.js'
import { type RecordedRun, recordWorld } from '../reports/report.js'
import { summarizeTrials, type TrialRun, type TrialsReport } from '../trials/trials-summary.js'
import { playAgain } from './end.js'
import { type KeptPlay, readKeptPlay, readKeptPlays } from './kept-play.js'

/** Kept plays that were judged again. */
export interface JudgedResults {
  readonly report: ReplayReport | TrialsReport
  /** Records the play that a page shows: the first that failed, or else the first. */
  readonly recording: () => ReturnType<typeof recordWorld>
}

/** A play that was judged again. */
interface JudgedPlay {
  readonly report: ReplayReport
  readonly recording: JudgedResults['recording']
}

/**
 * Judges the plays in a folder of results by other expectations than those of their story, without an agent: what happened in
 * them is told again.
 * @throws RunError `no-results` if what is needed was not kept; ScenarioError in the story or the expectations
 */
export async function judgeResults(folder: string, expectations: OtherExpectations): Promise<JudgedResults> {
  const { plays, trials } = await readKeptPlays(folder)
  const stories = new Map<string, Promise<Story>>()
  const judged: (JudgedPlay & { readonly trial: number; readonly series?: string | undefined })[] = []
  for (const play of plays) {
    const { scenario, extend, seed, start, under, series, trial = 1 } = play
    const key = JSON.stringify([scenario, extend, seed, start, under])
    const story = stories.get(key) ?? loadJudged({ scenario, extend, seed, start, under }, expectations)
    stories.set(key, story)
    judged.push({ trial, series, ...(await judgePlay(play, await story)) })
  }
  const nameOf = ({ series = '' }: { readonly series?: string | undefined }): string => {
    return series.startsWith('without ') ? '' : series
  }
  const ordered = judged
    .toSorted((one, other) => {
      const [name, next] = [nameOf(one), nameOf(other)]
      return name === next ? one.trial - other.trial : name < next ? -1 : 1
    })
    // Those of several series are counted through.
    .map((one, index) => (one.series === undefined ? one : { ...one, trial: index + 1 }))
  const first = ordered[0] as JudgedPlay
  if (!trials) return first
  const runs = ordered.map(({ trial, series, report }): TrialRun => {
    return { trial, ...(series !== undefined && { play: series }), ...report }
  })
  const wall_ms = runs.reduce((sum, run) => sum + run.wall_ms, 0)
  const report = summarizeTrials(runs, {
    ...trials,
    ...(plays.some(({ series }) => series !== undefined) && { count: runs.length }),
    interrupted: false,
    wall_ms,
  })
  const { first_failed: failed } = report.trials
  return { report, recording: (ordered.find(({ trial }) => trial === failed) ?? first).recording }
}

/**
 * Tells a trial in a folder of results again, and records it for a page under a name. A single play is trial 1.
 * @throws RunError `no-results` if what is needed was not kept; ScenarioError
 */
export async function recordTrial(folder: string, trial: number, play: string): Promise<RecordedRun> {
  const found = await readKeptPlay(folder, { trial })
  const { scenario, extend, seed, start, under } = found
  const story = await loadStory({ scenario, extend, seed, start, under })
  return { ...(await judgePlay(found, story)).recording(), trial, play, folder }
}

async function loadJudged(
  options: Parameters<typeof loadStory>[0],
  expectations: OtherExpectations,
): Promise<Story> {
  return judgedBy(await loadStory(options), expectations)
}

/** Tells a play again and judges it. @throws RunError `no-results`, SnapshotError */
async function judgePlay(play: KeptPlay, story: Story): Promise<JudgedPlay> {
  const told = await play.told()
  const { end, name } = play
  if (!end || !told.traffic) {
    throw new RunError(
      'no-results',
      `${name}: its requests were not kept, since they were too many or an earlier version wrote it; play it again with replay --out FOLDER/.`,
    )
  }
  const simulator = await createSimulator({ initialState: story, clock: 'frozen', trace: undefined })
  const report = reportOf(playAgain(simulator, told, end), end.allowEmpty)
  return { report, recording: () => recordWorld(simulator, report.verdicts) }
}
