import { shellQuoted } from '../base/text.js'

/** A request that a shell command sends. */
interface CurlRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, if there is one. */
  readonly data: string | null
}

/** Returns the shell command that sends a request. Variables such as `$MAILBOX_API_KEY` in its URL and headers remain. */
export function curlOf({ method, url, headers, data }: CurlRequest): string {
  return [
    `curl ${method === 'HEAD' ? '--head' : `-X ${method}`} ${withVariables(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${withVariables(`${name}: ${value}`)}`),
    ...(data === null ? [] : [`--data-raw ${shellQuoted(data)}`]),
  ].join(' \\\n  ')
}

/** Quotes a word of a shell command, except the variables of the mailbox in it. */
function withVariables(word: string): string {
  return shellQuoted(word).replace(/\$MAILBOX_(API_KEY|BASE_URL)/g, `'"$&"'`)
}

/** Formats the query of an address, with its question mark; '' if it is empty. */
export function searchOf(query: Readonly<Record<string, string | readonly string[]>>): string {
  const entries = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}
