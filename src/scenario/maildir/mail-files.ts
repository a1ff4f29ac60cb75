import type { FolderEntry, ScenarioFiles } from '../source/files.js'

/** A file with a mail in it. */
export interface MailFile {
  /** As `ScenarioFiles` takes it. */
  readonly path: string
  /**
   * What the values of the mail hang on, so that they stay when other mail comes or goes: its path within the
   * folder or, in a Maildir, its unique name, which stays when somebody reads it.
   */
  readonly name: string
  /** Whether a Maildir says that it was read. */
  readonly seen: boolean
}

const emlName = /\.eml$/i
// Where a colon may not be in a name, programs write another mark
const maildirFlags = /[:;!]2,([A-Za-z]*)$/

/**
 * Finds the mail of a folder beside a scenario, by name in code unit order: every `.eml` file in it and in the
 * folders below it or, if it is a Maildir, every file of its `cur` and `new`. Names that begin with a dot do
 * not count, and links to folders are not followed. It stops once there are more than `most`.
 * @throws FileError
 */
export async function findMail(files: ScenarioFiles, folder: string, most: number): Promise<MailFile[]> {
  const boxes = (await entriesOf(files, folder)).filter(({ name, isFolder }) => {
    return isFolder && (name === 'cur' || name === 'new')
  })
  const below = boxes.length === 2 ? [] : await mailBelow(files, folder, most)
  // Git keeps no empty folders: of a Maildir in it, one of the two may be all that is left
  const found = below.length > 0 ? below : await mailOfMaildir(files, boxes)
  return found.sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
}

async function entriesOf(files: ScenarioFiles, folder: string): Promise<FolderEntry[]> {
  return (await files.list(folder)).filter(({ name }) => !name.startsWith('.'))
}

async function mailBelow(files: ScenarioFiles, top: string, most: number): Promise<MailFile[]> {
  const found: MailFile[] = []
  const folders = [{ path: top, prefix: '' }]
  for (const { path: folder, prefix } of folders) {
    for (const { name, path, isFolder } of await entriesOf(files, folder)) {
      if (isFolder) folders.push({ path, prefix: `${prefix}${name}/` })
      else if (emlName.test(name)) found.push({ path, name: composed(prefix + name), seen: false })
    }
    if (found.length > most) break
  }
  return found
}

async function mailOfMaildir(files: ScenarioFiles, boxes: readonly FolderEntry[]): Promise<MailFile[]> {
  const found: MailFile[] = []
  for (const box of boxes) {
    for (const { name, path, isFolder } of await entriesOf(files, box.path)) {
      if (isFolder) continue
      const flags = box.name === 'cur' ? maildirFlags.exec(name)?.[1] : undefined
      found.push({
        path,
        name: composed(name.replace(maildirFlags, '')),
        seen: flags?.includes('S') ?? false,
      })
    }
  }
  return found
}

// Some file systems keep letters and their accents apart
function composed(name: string): string {
  return name.normalize('NFC')
}
