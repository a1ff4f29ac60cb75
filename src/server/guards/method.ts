import type { Rejection } from '../rejection.js'
import type { Guard } from './guard.js'

/** What a method gets that no part of the server takes. */
export function methodRejection(method: string): Rejection {
  return {
    status: 405,
    code: 'method_not_allowed',
    message: `${method} is not taken here; the service takes GET and PATCH.`,
    headers: { allow: 'GET, PATCH' },
  }
}

/** Refuses TRACE, of which no `Request` can be made. */
export const guardMethod: Guard = ({ method }) => (method === 'TRACE' ? methodRejection('TRACE') : undefined)
