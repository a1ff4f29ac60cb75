import { maskJson } from './json-secrets.js'
import { KnownKeys, unmistakable } from './known-keys.js'
import {
  credentialsIn,
  isNoSecret,
  isSecretName,
  isSecretParameter,
  mask,
  maskCredentials,
} from './secret-names.js'

/** A parameter of a query or a form, or whatever else has the form `name=value`. */
const parameter = /(^|[?&;]\s*)([^=?&;#\s]+)=([^&;#\s]*)/g

/** The name and password that a URL may begin with. */
const userInfo = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i

/** Takes keys and tokens out of whatever is kept or shown of requests, answers and commands. */
export class Masker {
  readonly #keys: () => Iterable<string>
  readonly #known: KnownKeys

  /** `keys` are those that are masked wherever they stand, as they are when something is masked. */
  constructor(keys: () => Iterable<string> = () => [], known = new KnownKeys()) {
    this.#keys = keys
    this.#known = known
  }

  /** One that also knows the keys a request itself brings, in the headers and parameters that are made for them. */
  forRequest(headers: Iterable<readonly [string, string]>, search: string): Masker {
    return this.#with([...keysInHeaders(headers), ...keysInQuery(search)])
  }

  /** One that knows the keys there are now: for much that is masked at once. */
  asOfNow(): Masker {
    return this.#with([])
  }

  #with(further: readonly string[]): Masker {
    const keys = [...new Set([...this.#keys(), ...further])]
    return new Masker(() => keys, this.#known)
  }

  /** A URL, a path or a query without keys, and without the values of parameters that carry keys. */
  url(url: string): string {
    const address = url.replace(userInfo, `$1${mask}@`)
    return this.#known.maskAddress(maskParameters(address), this.#keys())
  }

  /** The value of a parameter, decoded. */
  parameter(name: string, value: string): string {
    return isSecretParameter(name) && !isNoSecret(value) ? mask : this.url(value)
  }

  /** Headers with the keys in them masked; the scheme of credentials stays readable. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, this.header(name, value)]))
  }

  /** The value of a header. */
  header(name: string, value: string): string {
    return isSecretName(name) ? maskCredentials(value) : this.url(value)
  }

  /** The body of a request or an answer, as text: JSON, a form, or anything else. */
  body(body: string): string {
    return this.#known.maskText(isForm(body) ? maskParameters(body) : maskJson(body), this.#keys())
  }

  /** Any JSON: a command, a fault, or the like. */
  content(content: unknown): unknown {
    if (typeof content === 'string') return isUrl(content) ? this.url(content) : this.body(content)
    if (Array.isArray(content)) return content.map((item) => this.content(item))
    if (typeof content !== 'object' || content === null) return content
    return Object.fromEntries(
      Object.entries(content).map(([name, value]) => {
        const secret =
          isSecretName(name) && !isNoSecret(typeof value === 'object' && value ? 'x' : String(value))
        return [this.body(name), secret ? mask : this.content(value)]
      }),
    )
  }
}

function maskParameters(text: string): string {
  if (!text.includes('=')) return text
  return text.replace(parameter, (whole, before: string, name: string, value: string) => {
    const secret = isSecretParameter(decoded(name)) && !isNoSecret(value)
    return secret ? `${before}${name}=${mask}` : whole
  })
}

function* keysInHeaders(headers: Iterable<readonly [string, string]>): IterableIterator<string> {
  for (const [name, value] of headers) {
    const key = isSecretName(name) ? credentialsIn(value) : ''
    if (key.length >= unmistakable) yield key
  }
}

function* keysInQuery(search: string): IterableIterator<string> {
  for (const [name, value] of search === '' ? [] : new URLSearchParams(search)) {
    if (isSecretParameter(name) && value.length >= unmistakable) yield value
  }
}

function isForm(body: string): boolean {
  return /^[^\s={}"&]+=[^\s"]*$/.test(body)
}

function isUrl(text: string): boolean {
  return /^https?:\/\/\S+$/i.test(text)
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
