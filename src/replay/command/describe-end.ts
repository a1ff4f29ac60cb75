import { constants } from 'node:os'

/** What a status or a signal means for people, e.g. `ended with status 3`. */
export function describeEnd(status: number | null, signal: string | null): string {
  if (signal !== null) return `was ended by ${signal}${reasonOf(signal)}`
  const meaning = status === null ? '' : meaningOf(status)
  return `ended with status ${status}${meaning && ` (${meaning})`}`
}

function reasonOf(signal: string): string {
  if (signal === 'SIGKILL') return ', which somebody else sent; the system does so where memory runs out'
  const crashed = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'].includes(signal)
  return crashed ? ': it crashed' : ', which somebody else sent'
}

/** What statuses mean that shells give for the program they ran. */
function meaningOf(status: number): string {
  if (status === 126) return 'a shell gives it for a file that is not executable'
  if (status === 127) return 'a shell gives it for a program that is not there'
  const [name] = Object.entries(constants.signals).find(([, number]) => number === status - 128) ?? []
  return name === undefined ? '' : `128 + ${status - 128}: a program in it was ended by ${name}`
}
