import { readdir, readFile } from 'node:fs/promises'
import { packageRoot } from '../../contract/package.js'
import { toBase64 } from '../../mail/index.js'
import type { DownloadedFile } from '../service-client.js'

/** Media types by ending. */
const types: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  pdf: 'application/pdf',
  png: 'image/png',
  ics: 'text/calendar',
  csv: 'text/csv',
}

/** The largest file that stands for a larger one, in bytes. */
const largest = 256 * 1024

/**
 * Returns what finds a file to stand for one of a media type, or of a name, and of a size: a shipped one of the kind, made
 * as long as the size asks for, up to a quarter of a megabyte.
 */
export async function createFixtures(): Promise<(type: string, size: number) => DownloadedFile> {
  const folder = new URL('fixtures/attachments/', packageRoot)
  const files = new Map<string, Uint8Array>()
  for (const name of await readdir(folder)) files.set(name, await readFile(new URL(name, folder)))
  return (type, size) => {
    const names = [...files.keys()]
    const name =
      names.find((one) => kindOf(one) === kindOf(type)) ??
      (names.find((one) => one.endsWith('.txt')) as string)
    const content = files.get(name) as Uint8Array
    const bytes = new Uint8Array(Math.max(content.length, Math.min(size, largest)))
    bytes.set(content)
    // What stands behind the end of a file changes nothing in most of them; a text is filled with lines.
    bytes.fill(/\.(txt|csv|ics)$/.test(name) ? 10 : 0, content.length)
    const content_type = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    return { content_type, size_bytes: bytes.length, content: toBase64(bytes) }
  }
}

/** The kind of a media type or of a file's name: `pdf`, `image`, `calendar`, `csv` or `text`. */
function kindOf(name: string): string {
  return (
    /pdf|image|png|jpe?g|gif|calendar|ics|csv/i
      .exec(name)?.[0]
      .toLowerCase()
      .replace(/png|jpe?g|gif/, 'image')
      .replace('ics', 'calendar') ?? 'text'
  )
}
