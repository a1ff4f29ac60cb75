import { readFile, rm, writeFile } from 'node:fs/promises'
import { parseJson } from '../../base/json.js'
import { gapIds } from '../../contract/gaps.js'
import type { Probed } from './analysis.js'
import type { UnfinishedRun } from './calibrate.js'
import { asFields, CalibrationError } from './exchange.js'
import { shallowJson } from './service-client.js'

const savedFormat = 'agent-mailbox-sim/calibration-run'

/**
 * Keeps the exchanges of an unfinished calibration beside its result. The file contains mail, so only its owner may
 * read it.
 */
export class SavedRun {
  readonly path: string
  readonly #baseUrl: string

  /** `out` is the file of the result. */
  constructor(out: string, baseUrl: string) {
    this.path = `${out}.run.json`
    this.#baseUrl = baseUrl
  }

  /** Writes what the run has seen and learned so far. */
  async write({ probed, learned }: UnfinishedRun): Promise<void> {
    const kept = probed.map(({ exchange: { answer, ...exchange }, ...one }) => {
      const { json: _, ...rest } = answer
      return { ...one, exchange: { ...exchange, answer: rest } }
    })
    const document = { format: savedFormat, version: 1, base_url: this.#baseUrl, probed: kept, learned }
    await writeFile(this.path, JSON.stringify(document), { mode: 0o600 })
  }

  /** Reads what an earlier run has seen and learned. @throws CalibrationError */
  async read(): Promise<UnfinishedRun> {
    const text = await readFile(this.path, 'utf8').catch(() => {
      throw new CalibrationError(
        'malformed',
        `There is no unfinished run to resume: ${this.path} does not exist; leave out --resume to start one.`,
      )
    })
    const document = asFields(parseJson(text))
    const probed = document?.['probed']
    if (document?.['format'] !== savedFormat || !Array.isArray(probed)) {
      throw new CalibrationError(
        'malformed',
        `${this.path} is not an unfinished run of calibrate; leave out --resume to start one.`,
      )
    }
    if (document['base_url'] !== this.#baseUrl) {
      throw new CalibrationError(
        'malformed',
        `${this.path} belongs to the service at ${document['base_url']}; give that as --base-url, or leave out --resume.`,
      )
    }
    const { learned = [] } = document as { learned?: UnfinishedRun['learned'] }
    const read = (probed as Probed[]).map(({ gap, exchange: { answer, ...exchange }, ...one }): Probed => {
      const whole = { ...exchange, answer: { ...answer, json: shallowJson(answer.text) } }
      return { ...one, gap: gapIds.find((known) => known === gap), exchange: whole }
    })
    return { probed: read, learned }
  }

  /** Removes the file once the calibration is complete. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}
