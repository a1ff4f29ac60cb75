/** Draws reproducible numbers from 0 to below `below`. */
export type Draw = (below: number) => number

/** Mulberry32, which gives the same numbers on every engine. */
export function drawFrom(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

type Mutation = (mail: string, draw: Draw, others: readonly string[]) => string

// Pieces that are hard to parse
const snippets = [
  ...['=?utf-8?Q?=C3?=', '=?utf-8?B?////?=', '=?x?Q?=', '--', '\r\n\r\n', '\xff\xfe', '\x1b$B'],
  ...'"\\(<>;:,@\r\n\0',
  'Content-Type: multipart/mixed\r\n',
  'Content-Type: message/rfc822\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: quoted-printable\r\n',
  ...['; charset=utf-16', '; charset=us-ascii', "; filename*0*=utf-8''%C3; filename*1=x"],
]

const linesOf = (mail: string): string[] => mail.split('\n')

const mutations: readonly Mutation[] = [
  function flipByte(mail, draw) {
    const at = draw(mail.length + 1)
    return `${mail.slice(0, at)}${String.fromCharCode(draw(256))}${mail.slice(at + 1)}`
  },
  function cutOff(mail, draw) {
    return mail.slice(0, draw(mail.length + 1))
  },
  function insertSnippet(mail, draw) {
    const at = draw(mail.length + 1)
    return `${mail.slice(0, at)}${pick(snippets, draw)}${mail.slice(at)}`
  },
  function repeatLine(mail, draw) {
    const lines = linesOf(mail)
    const at = draw(lines.length)
    const copies = Array.from({ length: 1 + draw(50) }, () => lines[at] ?? '')
    return lines.toSpliced(at, 0, ...copies).join('\n')
  },
  function changeBoundary(mail, draw) {
    const boundary = pick(['b', '', 'mix', '-', '--', ' ', '"', "x'()+_,./:=?", 'y'.repeat(80)], draw)
    if (draw(2) === 0) return mail.replace(/boundary="?[^"\r\n;]*"?/i, () => `boundary="${boundary}"`)
    const lines = linesOf(mail)
    return lines.toSpliced(draw(lines.length), 0, `--${boundary}\r`).join('\n')
  },
  function repeatRun(mail, draw) {
    const at = draw(mail.length + 1)
    const run = mail.slice(at, at + 1 + draw(8)).repeat(draw(2000))
    return mail.slice(0, at) + run + mail.slice(at)
  },
  function joinTails(mail, draw, others) {
    const other = pick(others, draw)
    return mail.slice(0, draw(mail.length + 1)) + other.slice(draw(other.length + 1))
  },
]

/** Mutates one to six places of a mail, given as a binary string. */
export function mutate(mail: string, draw: Draw, others: readonly string[]): string {
  let mutated = mail
  for (let left = 1 + draw(6); left > 0; left -= 1) {
    mutated = pick(mutations, draw)(mutated, draw, others)
  }
  return mutated
}

/** Picks an item. */
export function pick<Item>(items: readonly Item[], draw: Draw): Item {
  return items[draw(items.length)] as Item
}
