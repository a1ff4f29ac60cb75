import type { IncomingMessage } from 'node:http'
import type { Rejection } from '../rejection.js'

/** Looks at a request before anything else does: gives the answer to one that must not get any further. */
export type Guard = (request: IncomingMessage) => Rejection | undefined
