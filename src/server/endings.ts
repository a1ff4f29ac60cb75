import type { ServerResponse } from 'node:http'
import { endingHeader } from '../handlers/index.js'

/**
 * Has an answer end as a fault told: cut off within its body, or reset before it. The middleware passes on
 * status, headers and body alone, so the answer says it in a header, which goes no further than here.
 */
export function obeyEnding(response: ServerResponse): void {
  const append = response.appendHeader.bind(response)
  response.appendHeader = (name, value) => {
    if (name.toLowerCase() !== endingHeader) return append(name, value)
    if (value === 'reset') resetInsteadOfEnd(response)
    else cutInsteadOfEnd(response)
    return response
  }
}

function resetInsteadOfEnd(response: ServerResponse): void {
  response.end = () => {
    response.socket?.resetAndDestroy()
    return response
  }
}

/** What was written still goes out; then the connection closes, short of the length the answer promised. */
function cutInsteadOfEnd(response: ServerResponse): void {
  response.end = () => {
    response.flushHeaders()
    response.socket?.end(() => response.destroy())
    return response
  }
}
