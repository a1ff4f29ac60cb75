import type { RecordedFault } from '../exchange.js'
import type { Reliance } from '../settle.js'

/**
 * An HTTP Archive, version 1.2, as the developer tools of browsers open it. What the format has no place for is
 * in fields that begin with `_`.
 */
export interface Har {
  readonly log: HarLog
}

/** All there is in an archive. */
export interface HarLog {
  readonly version: '1.2'
  readonly creator: { readonly name: string; readonly version: string }
  /** Always empty: requests of agents belong to no page. */
  readonly pages: readonly never[]
  readonly entries: readonly HarEntry[]
}

/** One request with its answer. Times are in milliseconds, sizes in bytes; -1 where one is not known. */
export interface HarEntry {
  /** The world's time, ISO 8601 UTC. */
  readonly startedDateTime: string
  readonly time: number
  readonly request: HarRequest
  readonly response: HarResponse
  readonly cache: Readonly<Record<string, never>>
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
  /** What is not as it looks: a fault, a body that was cut, an answer without one. */
  readonly comment?: string
  /** The number of the exchange in the journal. */
  readonly _seq: number
  readonly _world: string
  readonly _operation: string | null
  readonly _reliances: readonly Reliance[]
  readonly _fault: RecordedFault | null
  readonly _nearMiss: string | null
}

/** A header, a parameter or a cookie. */
export interface HarPair {
  readonly name: string
  readonly value: string
}

/** What was asked. */
export interface HarRequest {
  readonly method: string
  readonly url: string
  readonly httpVersion: string
  readonly cookies: readonly HarPair[]
  readonly headers: readonly HarPair[]
  readonly queryString: readonly HarPair[]
  readonly postData?: { readonly mimeType: string; readonly text: string; readonly comment?: string }
  readonly headersSize: number
  readonly bodySize: number
}

/** What was answered; the status is 0 where nothing was. */
export interface HarResponse {
  readonly status: number
  readonly statusText: string
  readonly httpVersion: string
  readonly cookies: readonly HarPair[]
  readonly headers: readonly HarPair[]
  readonly content: HarContent
  readonly redirectURL: string
  readonly headersSize: number
  readonly bodySize: number
  /** How the connection failed, in the words of Chrome. */
  readonly _error?: string
}

/** The body of an answer: text, or base64 where `encoding` says so. */
export interface HarContent {
  readonly size: number
  readonly mimeType: string
  readonly text?: string
  readonly encoding?: 'base64'
  readonly comment?: string
}
