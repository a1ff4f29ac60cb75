import { OutletError } from '../../world/index.js'
import { type Destination, ruleFor } from './destinations.js'

/** An error of the system or of a library, as far as it says what it is. */
type Failure = Error & { readonly code?: string }

/** Why nothing is sent to a destination, and what has it sent. */
export function blocked(destination: Destination): OutletError {
  const where = ruleFor(destination)
  const message = `Deliveries only go to loopback addresses such as 127.0.0.1, and ${where} is at none; --allow-delivery-to ${where} lets them go there.`
  return new OutletError('blocked', message)
}

/** What it means that no address of a destination was found. */
export function unknownName({ host }: Destination, { code }: Failure): OutletError {
  return new OutletError('unreachable', `No address is known of ${host} (${code}).`)
}

/** What it means that no connection came about. */
export function unconnected(destination: Destination, failure: Failure): OutletError {
  const { code = '', message } = failure
  const where = ruleFor(destination)
  if (code === 'ECONNREFUSED') return new OutletError('unreachable', `Nothing listens at ${where}.`)
  if (isOfCertificate(code)) {
    const isOfAnother = code === 'ERR_TLS_CERT_ALTNAME_INVALID'
    const remedy = isOfAnother ? '' : '; NODE_EXTRA_CA_CERTS=FILE has further ones trusted'
    const problem = `The certificate of ${where} is not trusted: ${message}`
    return new OutletError('unreachable', `${problem}${remedy}.`)
  }
  if (isOfTls(code)) {
    return new OutletError(
      'unreachable',
      `${where} does not speak TLS; is its URL to begin with http: instead?`,
    )
  }
  return new OutletError('unreachable', `No connection to ${where}: ${message}.`)
}

function isOfTls(code: string): boolean {
  return code === 'EPROTO' || code.startsWith('ERR_SSL_')
}

function isOfCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)
}

/** What it means that a request was not answered though there was a connection; a defect as it is. */
export function unanswered(failure: unknown): unknown {
  if (failure instanceof OutletError) return failure
  const { code, name, message } = failure as Failure
  if (name === 'AbortError') return new OutletError('broken-off', 'The request was given up.')
  if (code === 'UND_ERR_INVALID_ARG') {
    return new OutletError('broken-off', `Such a request cannot be sent: ${message}.`)
  }
  const reason = brokenBy(failure as Failure)
  return reason === undefined ? failure : new OutletError('broken-off', `No answer: ${reason}.`)
}

/** What broke a connection, as part of a sentence; undefined where the failure is none of a connection. */
export function brokenBy({ code = '', name, message }: Failure): string | undefined {
  if (name === 'HTTPParserError') return `what the receiver sent is no HTTP (${message})`
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the receiver sent more than 16 KiB of headers'
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code)) return 'the receiver closed the connection'
  return code === '' ? undefined : `the connection failed (${message})`
}
