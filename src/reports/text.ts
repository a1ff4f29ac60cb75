import type { RunningServer } from '../server/index.js'
import { formatDuration, parseInstant } from '../world/index.js'

/** Formats milliseconds as `1.2 s`. */
export function formatSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

/** Formats the time between two instants of a story, both ISO 8601. */
export function formatSpan(from: string, to: string): string {
  return formatDuration(Math.max(0, (parseInstant(to) ?? 0) - (parseInstant(from) ?? 0)))
}

/** Formats a command as it would be typed into a shell. */
export function formatCommand(command: readonly string[]): string {
  return command
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ')
}

/** Hides secrets in the arguments of a command, and what differs from run to run. */
export function hideSecretArguments(command: readonly string[], server: RunningServer): string[] {
  return server.simulator.masker.arguments(command).map((word) => hideRunDetails(word, server, command))
}

/** Hides secrets, those given to a command included, and the port of a server, which differs from run to run. */
export function hideRunDetails(
  text: string,
  { url, simulator }: RunningServer,
  command: readonly string[],
): string {
  const { host, hostname } = new URL(url)
  return simulator.masker
    .forCommand(command, process.env)
    .text(text)
    .replaceAll(url, '$MAILBOX_BASE_URL')
    .replaceAll(host, `${hostname}:<port>`)
}
