import { type Path, shorten } from './places.js'
import { type Kind, kindOf } from './schema-walk.js'

const secrets = ['api_keys', 'auth_token']

/** Whether what stands at a path is nobody's business. */
export function isSecret(path: Path): boolean {
  return path.some((step) => secrets.includes(String(step)))
}

/** A value as a problem shows it, where the kind is right: `"soon"`, `404`, `[8, 1]`. */
export function showValue(value: unknown, path: Path): string {
  const isHidden = isSecret(path) || speaksOfSecrets(value)
  if (typeof value === 'number' && !isHidden) return numberText(value)
  if (typeof value === 'string' && value !== '' && !isHidden) return quoted(value)
  return Array.isArray(value) && !isHidden ? showList(value) : nameFound(value, path)
}

/** A value as a problem shows it, where the kind is wrong: `the text "many"`, `the number 404`, `a list`. */
export function nameFound(value: unknown, path: Path): string {
  const kind = kindOf(value)
  const hidden = isSecret(path) || speaksOfSecrets(value)
  if (kind === 'text' && value !== '' && !hidden) return `the text ${quoted(value as string)}`
  if (kind === 'number' && !hidden) return `the number ${numberText(value as number)}`
  if (kind === 'boolean' && !hidden) return String(value)
  return value === '' ? 'an empty text' : names[kind]
}

const names: Readonly<Record<Kind, string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'nothing',
  list: 'a list',
  map: 'a map',
  missing: 'nothing',
  other: 'something else',
}

/** A key and its value that have become one text, for want of a space, may hold a secret. */
function speaksOfSecrets(value: unknown): boolean {
  return typeof value === 'string' && secrets.some((secret) => value.includes(secret))
}

/** A whole number as people read it: `10,000,000`. */
export function grouped(value: number): string {
  return String(value).replace(/(?<=^-?\d+)(?=(\d{3})+$)/g, ',')
}

/** A text in quotes, shortened and in one line. */
export function quoted(text: string): string {
  return `"${shorten(text)}"`
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return '.nan'
  return Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}.inf`
}

function showList(list: readonly unknown[]): string {
  if (list.length === 0) return 'an empty list'
  const plain = list.every((item) => typeof item !== 'object' || item === null)
  const text = `[${list.map(String).join(', ')}]`
  return plain && text.length <= 40 ? shorten(text) : `a list of ${list.length}`
}
