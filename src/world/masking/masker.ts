import type { MailboxStore, WebhookRow } from '../../model/index.js'
import { maskText, maskUrl } from './mask-text.js'
import {
  credentialsIn,
  isHarmless,
  isSecretHeader,
  isSecretName,
  isSecretParameter,
  KnownSecrets,
  mask,
  maskCredentials,
  unmistakable,
} from './secrets.js'

/**
 * Masks secrets in whatever leaves a world: by the name of their field, by their format, and by value if they are known.
 * Journal, archives, events, deliveries, faults, traces and reports all use it.
 */
export class Masker {
  readonly #secrets: () => Iterable<string>
  readonly #known: KnownSecrets

  /** `secrets` returns the known secrets, which are masked anywhere; it is called for each masking. */
  constructor(secrets: () => Iterable<string> = () => [], known = new KnownSecrets()) {
    this.#secrets = secrets
    this.#known = known
  }

  /** Returns a masker that also knows the secrets in the headers and parameters of a request. */
  forRequest(headers: Iterable<readonly [string, string]>, search: string): Masker {
    return this.#with([...secretsInHeaders(headers), ...secretsInQuery(search)])
  }

  /** Returns a masker that also knows the secrets in the arguments and the environment of a command. */
  forCommand(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Masker {
    return this.#with([...secretsInArguments(args), ...secretsInEnvironment(environment)])
  }

  /** Returns a masker with a copy of the present secrets, for masking many texts at once. */
  asOfNow(): Masker {
    return this.#with([])
  }

  #with(further: readonly string[]): Masker {
    const secrets = [...new Set([...this.#secrets(), ...further])]
    return new Masker(() => secrets, this.#known)
  }

  /** Masks a URL, a path or a query: user and password, secret parameters, and known secrets anywhere. */
  url(url: string): string {
    return this.#known.maskAddress(maskUrl(url), this.#secrets())
  }

  parameter(name: string, value: string): string {
    return isSecretParameter(name) && !isHarmless(value) ? mask : this.url(maskText(value))
  }

  /** Masks headers by name and value; schemes of credentials remain. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, this.header(name, value)]))
  }

  header(name: string, value: string): string {
    if (isSecretHeader(name)) return maskCredentials(value)
    return this.#known.maskAddress(maskText(maskUrl(value)), this.#secrets())
  }

  /** Masks any text, such as a body, an error message or the output of a program. */
  text(text: string): string {
    return this.#known.maskText(maskText(text), this.#secrets())
  }

  /** Masks any JSON value, including the names in it. */
  content(content: unknown): unknown {
    if (typeof content === 'string') return isUrl(content) ? this.url(content) : this.text(content)
    if (Array.isArray(content)) return content.map((item) => this.content(item))
    if (typeof content !== 'object' || content === null) return content
    return Object.fromEntries(
      Object.entries(content).map(([name, value]) => {
        const isStructure = typeof value === 'object' && value !== null
        const secret = isSecretName(name) && (isStructure || !isHarmless(String(value)))
        return [this.text(name), secret ? mask : this.content(value)]
      }),
    )
  }

  /** Masks the arguments of a command: `--token x`, `--token=x`, `API_KEY=x`, URLs, and known secrets. */
  arguments(args: readonly string[]): string[] {
    return args.map((arg, index) => {
      const secret = secretArgument(arg, args[index - 1])
      return secret === undefined ? this.text(arg) : `${arg.slice(0, arg.length - secret.length)}${mask}`
    })
  }
}

/** Returns the secrets in a URL: its password and the values of its secret parameters. */
export function secretsInUrl(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { password, search } = new URL(url)
  return [...(password === '' ? [] : [decodeURIComponent(password)]), ...secretsInQuery(search)]
}

/** Returns the secrets in a world's rows: API keys, tokens of subscriptions, and secrets in their URLs. */
export function secretsOf(store: MailboxStore): string[] {
  const keys = [...store.all('organization')].flatMap(({ api_keys }) => api_keys)
  return [...keys, ...[...store.all('webhook')].flatMap(secretsOfWebhook)]
}

/** Returns the secrets of a subscription. */
export function secretsOfWebhook({ url, auth_token: token }: WebhookRow): string[] {
  return [...(token === null ? [] : [token]), ...secretsInUrl(url)]
}

/** Returns the secret that an argument consists of or ends with: `x` after `--token`, `--token=x`, `API_KEY=x`. */
function secretArgument(arg: string, before = ''): string | undefined {
  const option = /^--?([^=\s]+)$/.exec(before)?.[1]
  if (option !== undefined && isSecretParameter(option) && !arg.startsWith('-')) return arg
  const [, name, value = ''] = /^-{0,2}([\w-]+)=([\s\S]+)$/.exec(arg) ?? []
  return name !== undefined && isSecretParameter(name) && !isHarmless(value) ? value : undefined
}

function secretsInArguments(args: readonly string[]): string[] {
  return args.flatMap((arg, index) => secretArgument(arg, args[index - 1]) ?? [])
}

function* secretsInEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): IterableIterator<string> {
  for (const [name, value = ''] of Object.entries(environment)) {
    // PWD is the working directory, DESKTOP_SESSION the name of a desktop, SSH_AUTH_SOCK a path.
    const isHarmlessName = /^(?:OLD)?PWD$|(?:session|_sock|_path|_file|_dir)$/i.test(name)
    if (isSecretName(name) && !isHarmlessName && value.length >= unmistakable) yield value
  }
}

function* secretsInHeaders(headers: Iterable<readonly [string, string]>): IterableIterator<string> {
  for (const [name, value] of headers) {
    const secret = isSecretHeader(name) ? credentialsIn(value) : ''
    if (secret.length >= unmistakable) yield secret
  }
}

function* secretsInQuery(search: string): IterableIterator<string> {
  for (const [name, value] of search === '' ? [] : new URLSearchParams(search)) {
    if (isSecretParameter(name) && value.length >= unmistakable && !isHarmless(value)) yield value
  }
}

function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text)
}
