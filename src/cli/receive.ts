import type { Command } from 'commander'
import { InputError } from './failure.js'
import { examplesOf } from './flags.js'
import { addRemoteFlags, ask, type RemoteFlags } from './remote.js'

interface ReceiveFlags extends RemoteFlags {
  readonly from?: string
  readonly text?: string
  readonly thread?: string
  readonly eml?: string
}

/** Adds the command that delivers mail to a running server. */
export function addReceive(program: Command): void {
  const command = program
    .command('receive')
    .summary('deliver mail to a running server')
    .description('Delivers mail to a running server, and prints the ids of the message and its thread.')
    .argument('<agent>', 'handle or address of the agent')
    .argument('[subject]', 'subject of the mail')
    .option('--from <sender>', 'sender, e.g. "Ann <ann@example.com>"')
    .option('--text <text>', 'text of the mail')
    .option('--thread <id>', 'the thread it joins')
    .option('--eml <file>', 'a complete mail (RFC 5322) instead of the above options')
  addRemoteFlags(command)
    .addHelpText(
      'after',
      examplesOf('receive support "Refund?" --text "Any news?"', 'receive support --eml mail.eml'),
    )
    .action(receive)
}

async function receive(agent: string, subject: string | undefined, flags: ReceiveFlags): Promise<void> {
  const { from, text, thread: thread_id, eml } = flags
  if (eml !== undefined && [subject, from, text, thread_id].some((given) => given !== undefined)) {
    throw new InputError('--eml is a complete mail; leave out the subject, --from, --text and --thread.')
  }
  const { message, thread } = await ask<{
    message: { id: string; from: string; subject: string }
    thread: { id: string }
  }>(
    flags,
    '/messages',
    eml === undefined
      ? { body: { to: agent, subject, from, text, thread_id } }
      : { query: { to: agent }, body: await readMail(eml) },
  )
  process.stdout.write(`${message.id} from ${message.from}: ${message.subject}\nin ${thread.id}\n`)
}

async function readMail(file: string): Promise<Uint8Array> {
  const { readFile } = await import('node:fs/promises')
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'there is no such file; the path is relative to this folder' : error.message
    throw new InputError(`--eml ${file}: ${reason}.`)
  })
}
