import { InvalidArgumentError, Option } from 'commander'
import { InputError } from './failure.js'
import { numberWithin } from './flags.js'

/** The flags that say which live service is meant, and how often it may be asked. */
export interface ServiceFlags {
  readonly baseUrl: string
  readonly apiKeyEnv: string
  readonly rate: number
}

/** Creates the flag for the address of the service. */
export function baseUrlOption(): Option {
  const about = 'base URL of the service, without /api/v1'
  return new Option('--base-url <url>', about).argParser(parseBaseUrl).makeOptionMandatory()
}

/** Creates the flag for the variable with the key of the service. */
export function apiKeyOption(): Option {
  return new Option(
    '--api-key-env <name>',
    'environment variable that holds the API key',
  ).makeOptionMandatory()
}

/** Creates the flag for the rate of requests. */
export function rateOption(): Option {
  return new Option('--rate <number>', 'requests per second').argParser(parseRate).default(5)
}

/** Returns the key that an environment variable holds. @throws InputError */
export function keyOf(name: string): string {
  const key = variableOf(name, '--api-key-env')
  if (/^[!-~]+$/.test(key)) return key
  // A later refusal, by fetch, would quote it.
  const expected = 'expected printable ASCII characters without spaces, since it is sent in a header'
  throw new InputError(`--api-key-env ${name}: ${name} does not hold an API key; ${expected}.`)
}

/** Returns the value of an environment variable that a flag names. @throws InputError */
export function variableOf(name: string, flag: string): string {
  const value = process.env[name]?.trim()
  if (value) return value
  throw new InputError(
    `${flag} ${name}: the environment variable ${name} is missing or empty; set it first: export ${name}=…`,
  )
}

/** Returns the readings in a file, those of a profile that it extends included. @throws ReadingError */
export async function readingsIn(path: string): Promise<Readonly<Record<string, string>>> {
  const { readingsLayers } = await import('../scenario/index.js')
  const layers = await readingsLayers({ from: path, input: /[\\/]/.test(path) ? path : `./${path}` })
  const { profileReadings } = await import('../world/index.js')
  return Object.assign(
    {},
    ...layers.map(({ input = {} }) => (typeof input === 'string' ? profileReadings(input) : input)),
  )
}

/** Parses the address of a service. */
function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') {
    return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
  }
  throw new InvalidArgumentError('It must be an http(s) address such as https://mail.example.')
}

/** Parses how many requests a second may be sent. */
const parseRate = numberWithin(
  Number.MIN_VALUE,
  1000,
  'It must be a number of requests a second, above 0 and at most 1000.',
  (text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined),
)
