import { CodedError } from '../../service/model/errors.js'

/** Thrown when a server cannot be started. */
export class ServerError extends CodedError<'port-taken' | 'not-allowed' | 'unknown-host'> {
  override readonly name = 'ServerError'
}

/** Explains why the operating system refused to listen; returns all other errors unchanged. */
export function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ServerError(
        'port-taken',
        `Port ${port} is taken; stop what uses it, or choose another with --port, in code with port (0 picks a free one).`,
        { cause: error },
      )
    case 'EACCES':
    case 'EPERM':
      return new ServerError(
        'not-allowed',
        `Listening on port ${port} of ${host} is not allowed; choose a port above 1023 with --port.`,
        { cause: error },
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
    // A link-local IPv6 address without its interface.
    case 'EINVAL':
      return new ServerError(
        'unknown-host',
        `"${host}" is not an address of this machine; use 127.0.0.1, or 0.0.0.0 for every address.`,
        { cause: error },
      )
    default:
      return error
  }
}
