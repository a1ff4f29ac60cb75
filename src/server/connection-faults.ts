import type { ServerResponse } from 'node:http'
import { endingHeader } from '../handlers/index.js'

/**
 * Makes an answer end as a fault says: cut off within its body, or reset before it. The middleware passes on status,
 * headers and body only, so the answer carries this in a header, which is not sent.
 */
export function applyConnectionFault(response: ServerResponse): void {
  const append = response.appendHeader.bind(response)
  response.appendHeader = (name, value) => {
    if (name.toLowerCase() !== endingHeader) return append(name, value)
    if (value === 'reset') resetAtEnd(response)
    else cutAtEnd(response)
    return response
  }
}

function resetAtEnd(response: ServerResponse): void {
  response.end = () => {
    response.socket?.resetAndDestroy()
    return response
  }
}

/** What was written is still sent; then the connection closes, short of the length that the answer promised. */
function cutAtEnd(response: ServerResponse): void {
  response.end = () => {
    response.flushHeaders()
    response.socket?.end(() => response.destroy())
    return response
  }
}
