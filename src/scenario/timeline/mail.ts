import { furtherReferences, type ParsedMail, parseMailboxList } from '../../mail/index.js'
import { type FileToAttach, readAttachments } from '../building/attachments.js'
import { type Building, fill, type ScenarioPath } from '../building/building.js'
import { filesOf, readEml } from '../building/messages.js'
import type { ScenarioTimelineEntry } from '../format/index.js'

/** The parts of a mail that an entry of a timeline has arrive or go out. */
type MailEntry = NonNullable<ScenarioTimelineEntry['receive'] | ScenarioTimelineEntry['send']>

/** What an entry's mail holds besides words: read once, whatever its repetitions. */
export interface Enclosed {
  readonly eml: ParsedMail | undefined
  readonly files: readonly FileToAttach[]
}

/** Reads the .eml file and the attachments of an entry. */
export async function readEnclosed(
  building: Building,
  mail: MailEntry,
  path: ScenarioPath,
): Promise<Enclosed> {
  const eml = await readEml(building, mail.eml, [...path, 'eml'])
  const listed = await readAttachments(building, mail.attachments ?? [], [...path, 'attachments'])
  return { eml, files: [...filesOf(eml), ...listed] }
}

/** The fields of the command that puts an entry's mail into a mailbox, templates filled in. */
export function mailFields(
  building: Building,
  mail: MailEntry,
  { eml, files }: Enclosed,
  { name, path }: { readonly name: string; readonly path: ScenarioPath },
) {
  const filled = (field: 'subject' | 'text' | 'html'): string | undefined => {
    const template = mail[field]
    return template === undefined ? undefined : fill(building, template, `${name}/${field}`, [...path, field])
  }
  const subject = filled('subject') ?? eml?.subject
  return {
    ...(subject !== undefined && { subject }),
    text: filled('text') ?? eml?.text ?? null,
    html: filled('html') ?? eml?.html ?? null,
    attachments: [...files],
    in_reply_to: eml?.inReplyTo ?? null,
    references: eml ? furtherReferences(eml) : [],
    message_id: eml?.messageId ?? null,
    headers: eml ? eml.headers.map(([field, value]): [string, string] => [field, value]) : null,
  }
}

/** The addresses in a text that holds at least one; one that holds none is a problem. */
export function addressesIn(building: Building, text: string, path: ScenarioPath): string[] {
  const mailboxes = parseMailboxList(text)
  if (mailboxes.length === 0) building.problem(path, `expected an email address, found "${text}"`)
  return mailboxes.map(({ address }) => address)
}
