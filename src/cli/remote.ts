import { type Command, InvalidArgumentError } from 'commander'
import { parseJson } from '../contract/json.js'
import { invocation } from '../contract/package.js'
import { InputError } from './failure.js'

/** The flags that say which running server is meant. */
export interface RemoteFlags {
  readonly url: string
  readonly token?: string
  readonly world?: string
}

/** A request to the control API of a running server: JSON, or bytes of a mail. */
interface ControlRequest {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object | Uint8Array
  /** How long an answer may take. */
  readonly seconds?: number
}

/** Adds the flags that name a running server. */
export function addRemoteFlags(command: Command): Command {
  const { MAILBOX_SIM_URL = 'http://127.0.0.1:4280/_sim', MAILBOX_SIM_TOKEN } = process.env
  return command
    .option('--url <url>', 'control API of the server (or MAILBOX_SIM_URL)', parseControlUrl, MAILBOX_SIM_URL)
    .option('--token <token>', 'control token of the server (or MAILBOX_SIM_TOKEN)', MAILBOX_SIM_TOKEN)
    .option('--world <id>', 'a world other than the first')
}

function parseControlUrl(text: string): string {
  const url = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(url)) throw new InvalidArgumentError('It must be a URL such as http://127.0.0.1:4280.')
  const { origin } = new URL(url)
  return `${origin}/_sim`
}

/**
 * Sends a request to the control API of a running server. @throws InputError with its error, or if no server answers
 */
export async function ask<Answer>(
  { url, token, world }: RemoteFlags,
  path: string,
  { query = {}, body, seconds = 60 }: ControlRequest = {},
): Promise<Answer> {
  const isMail = body instanceof Uint8Array
  const headers = {
    'content-type': isMail ? 'message/rfc822' : 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(world !== undefined && { 'x-sim-world': world }),
  }
  const search = new URLSearchParams(query).size === 0 ? '' : `?${new URLSearchParams(query)}`
  const sent = body && { method: 'POST', body: isMail ? (body as BodyInit) : JSON.stringify(body) }
  let text: string
  let status: number
  try {
    const answer = await fetch(`${url}${path}${search}`, {
      headers,
      signal: AbortSignal.timeout(seconds * 1000),
      ...sent,
    })
    status = answer.status
    text = await answer.text()
  } catch (cause) {
    const remedy = `Start one with ${invocation} serve, or give the address of yours with --url.`
    throw new InputError(`No simulator answers at ${url}. ${remedy}`, { cause })
  }
  const parsed = parseJson(text) as (Answer & { error?: { message?: string } }) | undefined
  if (parsed === undefined)
    throw new InputError(`The server at ${url} is not a simulator; give --url the address that serve prints.`)
  if (status >= 400) throw new InputError(parsed.error?.message ?? `${url}${path} answered ${status}.`)
  return parsed
}
