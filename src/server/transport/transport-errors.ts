import { TransportError } from '../../world/index.js'
import { ruleFor, type Target } from './allowed-targets.js'

type SystemError = Error & { readonly code?: string }

/** Returns the error of a delivery to a target that is not allowed, with the flag that allows it. */
export function blocked(target: Target): TransportError {
  const where = ruleFor(target)
  const message = `Deliveries only go to loopback addresses such as 127.0.0.1, and ${where} is at none; --allow-delivery-to ${where} lets them go there.`
  return new TransportError('blocked', message)
}

/** Returns the error of a host without an address. */
export function unknownName({ host }: Target, { code }: SystemError): TransportError {
  return new TransportError('unreachable', `No address is known for ${host} (${code}).`)
}

/** Returns the error of a connection that failed. */
export function unconnected(target: Target, { code = '', message }: SystemError): TransportError {
  const where = ruleFor(target)
  if (code === 'ECONNREFUSED') return new TransportError('unreachable', `Nothing listens at ${where}.`)
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) {
    const isForAnotherName = code === 'ERR_TLS_CERT_ALTNAME_INVALID'
    const remedy = isForAnotherName ? '' : '; NODE_EXTRA_CA_CERTS=FILE adds trusted ones'
    const problem = `The certificate of ${where} is not trusted: ${message}`
    return new TransportError('unreachable', `${problem}${remedy}.`)
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return new TransportError('unreachable', `${where} does not speak TLS; should its URL begin with http:?`)
  }
  return new TransportError('unreachable', `No connection to ${where}: ${message}.`)
}

/** Converts the error of a request on an open connection; returns a defect as it is. */
export function toTransportError(error: unknown): unknown {
  if (error instanceof TransportError) return error
  const { code, name, message } = error as SystemError
  if (name === 'AbortError') return new TransportError('broken-off', 'The request was aborted.')
  if (code === 'UND_ERR_INVALID_ARG') {
    return new TransportError('broken-off', `The request cannot be sent: ${message}.`)
  }
  const problem = connectionProblem(error as SystemError)
  return problem === undefined ? error : new TransportError('broken-off', `No answer: ${problem}.`)
}

/** Explains an error of a connection as part of a sentence; returns undefined for any other error. */
export function connectionProblem({ code = '', name, message }: SystemError): string | undefined {
  if (name === 'HTTPParserError') return `the receiver did not send valid HTTP (${message})`
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the receiver sent more than 16 KiB of headers'
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code)) return 'the receiver closed the connection'
  return code === '' ? undefined : `the connection failed (${message})`
}
