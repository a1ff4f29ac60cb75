import { CodedError } from '../../service/model/errors.js'

/** Thrown when a server cannot be started. */
export class ServerError extends CodedError<'port-taken' | 'not-allowed' | 'unknown-host'> {
  override readonly name = 'ServerError'
}

/** Explains why the operating system refused to listen; returns all other errors unchanged. */
export function explainListenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const taken = `Port ${port} is taken; stop what uses it, or choose another with --port, in code with port (0 picks a free one).`
  const forbidden = `Listening on port ${port} of ${host} is not allowed; choose a port above 1023 with --port.`
  const unknown = `"${host}" is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for every address.`
  const { code = '' } = cause
  if (code === 'EADDRINUSE') return new ServerError('port-taken', taken, { cause })
  if (code === 'EACCES' || code === 'EPERM') return new ServerError('not-allowed', forbidden, { cause })
  // The last is a link-local IPv6 address without its interface.
  const isUnknown = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)
  return isUnknown ? new ServerError('unknown-host', unknown, { cause }) : cause
}
