// Compares how this simulator reads real mail with how Python's email package reads it:
//   node bench/mail/compare.mjs FOLDER [--all]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createSimulator } from '../../dist/index.js'

const [folder, all] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Name a folder with .eml and .mbox files: node bench/mail/compare.mjs FOLDER [--all]')
  process.exit(2)
}
const script = fileURLToPath(new URL('./expected.py', import.meta.url))
const lines = execFileSync('python3', [script, folder], { maxBuffer: 2 ** 30, encoding: 'utf8' }).trim()
const expected = lines.split('\n').map((line) => JSON.parse(line))
// In order of dates, as folders are read: a message joins what came before it.
expected.sort((one, other) => (one.date ?? Number.MAX_VALUE) - (other.date ?? Number.MAX_VALUE))

const scenario = {
  scenario: 'mail',
  identities: [{ handle: 'reader', mailbox_address: 'reader@agents.example' }],
}
const simulator = await createSimulator({ scenario })
const counts = new Map()
const differences = []

function count(what, name, wanted, found) {
  const [same, total] = counts.get(what) ?? [0, 0]
  const isSame = JSON.stringify(wanted) === JSON.stringify(found)
  counts.set(what, [same + (isSame ? 1 : 0), total + 1])
  if (!isSame) differences.push({ what, name, wanted, found })
}

const words = (text) =>
  (text ?? '')
    .normalize()
    .replace(/[\s\u00a0\ufeff]+/g, ' ')
    .trim()
const addressIn = (mailbox) =>
  (/<([^<>]*)>\s*$/.exec(mailbox)?.[1] ?? mailbox).replace(/"/g, '').trim().toLowerCase()
const hashOf = (base64) => createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex')

const threadOf = (id) => simulator.mailbox.message(id).thread_id
const byMessageId = new Map()
const replies = []
const unreadable = []
const refused = []

for (const { name, source, sender, recipients, subject, text, files, id, answers, failed } of expected) {
  if (failed !== undefined) {
    unreadable.push(name)
    continue
  }
  const eml = Buffer.from(source, 'hex')
  const received = await simulator.mail.receive({ to: 'reader', eml }).catch((error) => error)
  if (received instanceof Error) {
    refused.push(`${name}: ${received.message}`)
    continue
  }
  const { message } = received
  if (sender !== null) count('sender', name, sender.toLowerCase(), addressIn(message.from))
  if (recipients !== null) {
    const wanted = [...new Set(recipients.map((one) => one.toLowerCase()))].filter((one) => one !== '').sort()
    count('recipients', name, wanted, [...new Set(message.to.map(addressIn))].sort())
  }
  if (subject !== null) count('subject', name, words(subject), words(message.subject))
  if (text !== null) count('text', name, words(text), words(message.text))
  const stored = message.attachments ?? []
  const hashes = stored.map((file) => hashOf(simulator.mailbox.attachment(file.id).content))
  for (const hash of files)
    count(
      "attachments' bytes",
      name,
      hash,
      hashes.find((one) => one === hash),
    )
  if (id !== null && !byMessageId.has(id)) byMessageId.set(id, message.id)
  replies.push({ name, id: message.id, answers })
}
for (const { name, id, answers } of replies) {
  const others = answers.map((one) => byMessageId.get(one)).filter((one) => one !== undefined)
  if (others.length > 0) count('threads', name, [threadOf(id)], [...new Set(others.map(threadOf))])
}

for (const [what, [same, total]] of counts) {
  console.log(`${what}: ${((100 * same) / total).toFixed(2)} % (${same} of ${total})`)
}
console.log(
  `${expected.length} messages; Python cannot read ${unreadable.length}, and ${refused.length} are refused:`,
)
for (const one of refused) console.log(`  ${one}`)
const shown = all === '--all' ? differences : differences.slice(0, 20)
for (const one of shown) console.log(JSON.stringify(one).slice(0, all === undefined ? 600 : 20_000))
