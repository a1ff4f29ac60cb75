import { once } from '../../base/once.js'
import { decodePercent } from '../../base/text.js'
import type { MailboxStore } from '../model/mailbox-store.js'
import type { WebhookRow } from '../model/rows.js'
import type { DeliveryFormat } from '../webhooks/delivery-format.js'
import { secretOf } from '../webhooks/delivery-request.js'

/** Replaces a secret. */
export const mask = '***'

/** Ends of the names of secrets, in lower case without separators. A token for the next page is not a secret. */
const secretName = new RegExp(
  `(${[
    'authorization|cookies?|credentials?|passw(or)?d|pass(phrase|code)|pwd|secrets?|secretid|authkey|(auth|authorization)code',
    '(api|access|private|secret|signing|encryption|subscription|functions?|master|shared|service|account|client|license)keys?(id)?',
    '(?<!page|next|prev|previous|continuation|cursor|sync|delta|start)token|(access|auth|api|bearer|refresh|session)tokens',
    'jwt|csrf|xsrf|otp|session(id|key)?|(^|connect|php|j)(sid|sessid)|(connection|conn)(string|str)|(jwt|client|saml)assertion',
    '(?<!by|com|tres|over|under|boarding)pass|^(auth|bearer|pw|dsn|pin|tok)',
  ].join('|')})$`,
)

/** Names of secrets in headers, queries and options that mean something harmless in JSON. */
const parameterName =
  /^(assertion|code|codeverifier|key|oauthverifier|samlresponse|sas|ticket)$|(sig|signature|hmac)(v?\d+|sha\d+)?$/

/** Returns whether a JSON field or a variable of that name holds a secret: `Authorization`, `api_key`, `authToken`, … */
export function isSecretName(name: string): boolean {
  return secretName.test(bare(name))
}

function isSecretParameter(name: string): boolean {
  return isSecretName(name) || parameterName.test(bare(name))
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** A value that is not a secret under any name: empty, a flag as in `has_auth_token`, or already masked. */
const harmless = /^(true|false|null|undefined|masked|included|\*\*\*)?$/

/**
 * Known secrets of this length are masked anywhere; shorter ones may be a word of a message, or an agent's
 * handle.
 */
const unmistakable = 8

/** The shortest known secrets that are masked in addresses and headers, as whole words. */
const shortest = 4

/** The secrets that the simulator generates: the keys of forks, and the signing secrets of subscriptions. */
const ownKeys = /sim_[0-9a-z]{16}|whsec_[0-9A-Za-z+/]{32}/g

/** Masks secrets in whatever leaves a world: by name, and by value if they are known. @see docs/security.md#secrets */
export class Masker {
  readonly #secrets: () => Iterable<string>

  /** `secrets` returns the known secrets; it is called for each masking. */
  constructor(secrets: () => Iterable<string> = () => []) {
    this.#secrets = secrets
  }

  /** Returns a masker that also knows the secrets in the headers and parameters of a request. */
  forRequest(headers: Iterable<readonly [string, string]>, search: string): Masker {
    const inHeaders = [...headers].filter(([name]) => isSecretParameter(name))
    return this.#with([...inHeaders.map(([, value]) => value.replace(scheme, '')), ...secretsInQuery(search)])
  }

  /** Returns a masker that also knows the secrets in the arguments and the environment of a command. */
  forCommand(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Masker {
    // PWD is the working directory, DESKTOP_SESSION the name of a desktop, SSH_AUTH_SOCK a path.
    const harmlessName = /^(?:OLD)?PWD$|(?:session|_sock|_path|_file|_dir)$/i
    const variables = Object.entries(environment).filter(
      ([name]) => isSecretName(name) && !harmlessName.test(name),
    )
    const inArguments = args.map((arg, index) => secretArgument(arg, args[index - 1]))
    return this.#with([...inArguments, ...variables.map(([, value = '']) => value)])
  }

  /** Returns a masker with a copy of the present secrets, for masking many texts. */
  asOfNow(): Masker {
    return this.#with([])
  }

  #with(further: readonly string[]): Masker {
    const secrets = [...this.#secrets(), ...further.filter(({ length }) => length >= unmistakable)]
    return new Masker(() => secrets)
  }

  /** Masks a URL, a path or a query: user and password, secret parameters, and known secrets. */
  url(url: string): string {
    return this.#known(maskParameters(maskUser(url)), shortest)
  }

  parameter(name: string, value: string): string {
    return isSecretParameter(name) && !harmless.test(value) ? mask : this.url(value)
  }

  /** Masks headers by name and value; schemes of credentials remain. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    const masked = [...headers].map(([name, value]) => {
      return [name, isSecretParameter(name) ? maskCredentials(value) : this.url(value)]
    })
    return Object.fromEntries(masked)
  }

  /**
   * Masks any text, such as a body, an error message or the output of a program. Unless all of it is a URL or a form, parameters
   * such as `code`, `key` or `sig` stay: in the link of a mail they are rarely secrets.
   */
  text(text: string): string {
    const isSecret = /[\s"<>]/.test(text) ? isSecretName : isSecretParameter
    return this.known(maskFields(maskParameters(maskUser(text), isSecret)))
  }

  /** Masks only known secrets, wherever they are. */
  known(text: string): string {
    return this.#known(text, unmistakable)
  }

  /** Masks any JSON value, including the names in it. */
  content(content: unknown): unknown {
    if (typeof content === 'string') return isUrl(content) ? this.url(content) : this.text(content)
    if (Array.isArray(content)) return content.map((item) => this.content(item))
    if (typeof content !== 'object' || content === null) return content
    const masked = Object.entries(content).map(([name, value]) => {
      const isSecret = isSecretName(name) && !harmless.test(String(value))
      return [this.text(name), isSecret ? mask : this.content(value)]
    })
    return Object.fromEntries(masked)
  }

  /** Masks the arguments of a command: `--token x`, `--token=x`, `API_KEY=x`, URLs, and known secrets. */
  arguments(args: readonly string[]): string[] {
    return args.map((arg, index) => {
      const secret = secretArgument(arg, args[index - 1])
      return secret === '' ? this.text(arg) : `${arg.slice(0, arg.length - secret.length)}${mask}`
    })
  }

  #known(text: string, least: number): string {
    let masked = text
    // The longest first, since a secret may begin with another one.
    for (const secret of [...new Set(this.#secrets())].sort((a, b) => b.length - a.length)) {
      if (secret.length < least) continue
      for (const written of new Set([
        secret,
        encodeURIComponent(secret),
        JSON.stringify(secret).slice(1, -1),
      ])) {
        masked =
          secret.length < unmistakable ? withoutWord(masked, written) : masked.replaceAll(written, mask)
      }
    }
    return masked.replace(ownKeys, mask)
  }
}

/** Masks a short secret where it is a word of its own. */
function withoutWord(text: string, secret: string): string {
  if (!text.includes(secret)) return text
  const pattern = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return text.replace(new RegExp(`(?<![0-9A-Za-z])${pattern}(?![0-9A-Za-z])`, 'g'), mask)
}

/** Returns the secrets in a URL: its password and the values of its secret parameters. */
function secretsInUrl(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { password, search } = new URL(url)
  return [decodeURIComponent(password), ...secretsInQuery(search)]
}

function secretsInQuery(search: string): string[] {
  return [...new URLSearchParams(search)].flatMap(([name, value]) => (isSecretParameter(name) ? [value] : []))
}

/** Returns the secret that an argument consists of or ends with: `x` after `--token`, in `--token=x`, in `API_KEY=x`. */
function secretArgument(arg: string, before = ''): string {
  const option = /^--?([^=\s]+)$/.exec(before)?.[1]
  if (option !== undefined && isSecretParameter(option) && !arg.startsWith('-')) return arg
  const [, name, value = ''] = /^-{0,2}([\w-]+)=([\s\S]+)$/.exec(arg) ?? []
  return name !== undefined && isSecretParameter(name) && !harmless.test(value) ? value : ''
}

function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text)
}

const scheme = /^\s*(Bearer|Basic|Digest|Token|ApiKey)\s+/i

/** Masks credentials: `Bearer test-key` becomes `Bearer ***`; a value without a scheme is masked entirely. */
function maskCredentials(value: string): string {
  const name = scheme.exec(value)?.[1]
  return name === undefined ? mask : `${name} ${mask}`
}

function maskUser(text: string): string {
  return text.replace(/(:\/\/)[^/?#\s"'<>\\]*@/g, `$1${mask}@`)
}

/** `name=value` after `?`, `&`, `;` or `#`, or at the beginning of a form. */
const parameter = /(^(?=\S*$)|[?&;#])([^=?&;#\s"'<>\\]{1,100})=([^&;#\s"'<>\\]*)/g

function maskParameters(text: string, isSecret = isSecretParameter): string {
  return text.replace(parameter, (whole, before: string, name: string, value: string) => {
    return isSecret(decodePercent(name)) && !harmless.test(value) ? `${before}${name}=${mask}` : whole
  })
}

/** The name of a field of a JSON object. */
const fieldName = /"([^"\\]{1,100})"\s*:\s*/g

/** The value of a field: a text, which may be cut off, a number, or a flat list. */
const fieldValue = /"[^"\\]*(?:\\[\s\S]?[^"\\]*)*(?:"|$)|-?\d[\d.eE+-]*|\[[^[\]]*\]/y

/** Masks the fields of JSON whose names are those of secrets. */
function maskFields(text: string): string {
  let [masked, done] = ['', 0]
  for (const { 0: before, 1: name = '', index } of text.matchAll(fieldName)) {
    if (index < done || !isSecretName(name)) continue
    fieldValue.lastIndex = index + before.length
    const [value = ''] = fieldValue.exec(text) ?? []
    if (harmless.test(value.replace(/^"|"$/g, ''))) continue
    masked += `${text.slice(done, index)}${before}"${mask}"`
    done = index + before.length + value.length
  }
  return masked + text.slice(done)
}

/** Secrets that are masked; each may occur more than once. */
export interface KnownSecrets extends Iterable<string> {
  readonly size: number
}

/** The API keys, tokens and other secrets that a world has had since it began, including those of deleted rows. */
export class WorldSecrets implements KnownSecrets {
  readonly #seed: number
  readonly #found: () => ReadonlySet<string>
  readonly #noted = new Set<string>()

  constructor(seed: number, store: MailboxStore, deliveryFormat?: DeliveryFormat) {
    this.#seed = seed
    this.#found = once(() => {
      const keys = [...store.all('organization')].flatMap(({ api_keys }) => api_keys)
      const published = deliveryFormat?.secret === undefined ? [] : [deliveryFormat.secret]
      return new Set([...keys, ...published, ...[...store.all('webhook')].flatMap((row) => this.#of(row))])
    })
  }

  *[Symbol.iterator](): IterableIterator<string> {
    yield* this.#found()
    yield* this.#noted
  }

  /** Grows with each new secret. */
  get size(): number {
    return this.#found().size + this.#noted.size
  }

  /** Notes the secrets of a subscription that a command creates, changes or deletes. */
  note(webhook: WebhookRow): void {
    for (const secret of this.#of(webhook)) this.#noted.add(secret)
  }

  #of({ id, url, auth_token: token }: WebhookRow): string[] {
    return [...(token === null ? [] : [token]), ...secretsInUrl(url), secretOf(this.#seed, id)]
  }
}
