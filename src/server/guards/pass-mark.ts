import type { Guard } from './guard.js'

const mark = 'msw/passthrough'

/**
 * Takes away the mark that a test process with MSW of its own puts on a request to let it through: it has come
 * through, and this server's MSW would send it on to nowhere.
 */
export const removePassMark: Guard = ({ headers }) => {
  const { accept } = headers
  if (!accept?.includes(mark)) return undefined
  const types = accept.split(',').filter((type) => !type.includes(mark))
  if (types.length > 0) headers.accept = types.join(',').trim()
  else delete headers.accept
  return undefined
}
