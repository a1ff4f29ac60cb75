import { sizeOfBase64, toBase64 } from '../../mail/index.js'
import type { StoryAttachment } from '../stories/story.js'
import { contentTypeOf } from './attachments.js'
import { type Building, idFor } from './building.js'

/** The shipped files that generated mail carries, in base64, by name. */
export type FixtureFiles = ReadonlyMap<string, string>

const fixtureNames = [
  'invoice.pdf',
  'receipt.pdf',
  'screenshot.png',
  'logo.png',
  'orders.csv',
  'error-log.txt',
  'meeting.ics',
]

/** Reads the files once, for all messages to share. */
export async function loadFixtures({ files }: Building): Promise<FixtureFiles> {
  const read = async (name: string) => [name, toBase64(await files.readShipped(name))] as const
  return new Map(await Promise.all(fixtureNames.map(read)))
}

/** Adds the file a story suggests for a message; gives back the ids of the message's attachments. */
export function attachFixture(
  building: Building,
  suggestion: StoryAttachment,
  files: FixtureFiles,
  message: { readonly id: string; readonly name: string },
): readonly string[] {
  const content = files.get(suggestion.fixture)
  if (content === undefined) return []
  const id = idFor(building, 'attachment', message.name)
  building.builder.add('attachment', {
    id,
    message_id: message.id,
    filename: suggestion.filename,
    content_type: contentTypeOf(suggestion.fixture),
    size_bytes: sizeOfBase64(content),
    content_id: null,
    content,
  })
  return [id]
}
