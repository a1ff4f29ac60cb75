import type { RunningServer } from '../server/index.js'

/** A text without keys, and without the port of a server, which is another one with every run. */
export function portableText(text: string, { url, simulator }: RunningServer): string {
  const { host, hostname } = new URL(url)
  return simulator.masker
    .body(text)
    .replaceAll(url, '$MAILBOX_BASE_URL')
    .replaceAll(host, `${hostname}:<port>`)
}
