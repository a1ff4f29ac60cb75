import { readFile, rm, writeFile } from 'node:fs/promises'
import { gapIds } from '../contract/gaps.js'
import { parseJson } from '../contract/json.js'
import type { Probed } from './analysis.js'
import { asFields, CalibrationError, type ProbeExchange } from './exchange.js'

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

  /** Writes the exchanges so far. */
  async write(probed: readonly Probed[]): Promise<void> {
    const kept = probed.map(({ gap = null, isVoid, exchange: { answer, ...exchange } }) => {
      const { json: _, ...rest } = answer
      return { gap, ...(isVoid && { isVoid }), exchange: { ...exchange, answer: rest } }
    })
    const document = { format: savedFormat, version: 1, base_url: this.#baseUrl, probed: kept }
    await writeFile(this.path, JSON.stringify(document), { mode: 0o600 })
  }

  /** Reads the exchanges of an earlier run. @throws CalibrationError */
  async read(): Promise<Probed[]> {
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
    return probed.map((one: { gap: string | null; isVoid?: true; exchange: ProbeExchange }) => {
      const { answer } = one.exchange
      const exchange = { ...one.exchange, answer: { ...answer, json: parseJson(answer.text) } }
      return { exchange, gap: gapIds.find((gap) => gap === one.gap), ...(one.isVoid && { isVoid: true }) }
    })
  }

  /** Removes the file once the calibration is complete. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true })
  }
}
