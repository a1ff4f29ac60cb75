import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differences, type RecordedAnswers, readRecord, writeRecord } from './recorded/record.js'
import { choices, headingOf, moments, recordedScenarios } from './recorded/scenarios.js'
import { storyAnswers } from './recorded/story-answers.js'

// Whoever changes an answer on purpose makes the record anew and reads what `git diff` shows.
const recording = process.env['RECORD_ANSWERS'] === '1'

const headings = recordedScenarios.flatMap((scenario) =>
  choices.flatMap((choice) => moments.map((moment) => headingOf(scenario, moment, choice))),
)

const found: RecordedAnswers = new Map()
let expected: RecordedAnswers

beforeAll(async () => {
  expected = await readRecord()
})

afterAll(async () => {
  if (!recording) return
  // What was not run this time stays.
  const sections = headings.map((name) => [name, found.get(name) ?? expected.get(name) ?? new Map()] as const)
  await writeRecord(new Map(sections))
})

/** Compares with the record, unless it is made anew. */
function expectRecorded(sections: RecordedAnswers): void {
  for (const [section, answers] of sections) found.set(section, answers)
  const recorded = recording ? sections : expected
  const differing = [...sections].flatMap(([section, answers]) =>
    differences(section, recorded.get(section), answers),
  )
  expect(differing.length === 0 ? '' : `${differing.length} differ\n${differing.join('\n')}`).toBe('')
}

describe.each(recordedScenarios)('the answers of $name are as recorded', (scenario) => {
  it.each(choices)('under %s', async (choice) => {
    expectRecorded(await storyAnswers(scenario, choice))
  })
})

it('the record has no other sections', () => {
  const sections = [...(recording ? found : expected).keys()]
  expect(sections.filter((name) => !headings.includes(name))).toEqual([])
})
