/** A subject without the marks of replies and forwarded mails. */
export interface BaseSubject {
  /** In lower case, for comparison; '' if nothing remains. */
  readonly base: string
  /** Whether the subject had the mark of a reply or of a forwarded mail. */
  readonly marked: boolean
}

// The marks that mail programs write, by language; RFC 5256 only has `re`, `fw` and `fwd`
const marks = [
  'aw|antw(?:ort)?|wg', // German
  'doorst|betr', // Dutch
  'sv|svar|vs|vb', // Danish, Norwegian, Swedish
  'vl', // Finnish
  'réf|tr', // French
  'rif|r|i', // Italian
  'rv|res|resp|enc', // Spanish, Portuguese
  'odp|pd', // Polish
  'odg', // Croatian, Slovenian
  'vá|továbbítás', // Hungarian
  'ynt|ilt', // Turkish
  'απ|σχετ|πρθ', // Greek
  'отв|ответ|пересл', // Russian
  'bls|trs', // Indonesian
  'trả lời', // Vietnamese
  'رد|إعادة توجيه', // Arabic
  'השב|תגובה|הועבר', // Hebrew
  '回复|回覆|答复|答覆|转发|轉寄|轉發', // Chinese
  '返信|転送', // Japanese
  '답장|회신|전달', // Korean
].join('|')

// Only these can have a number; `R2: results` is not a second reply
const countedMarks = 're|fwd?|aw|sv|回复'
const counted = String.raw`(?:${countedMarks}) ?(?:\(\d{1,4}\)|[\^*]?\d{1,4})`
// The second one is used in East Asia
const colon = '[:：]'
// `[lamps] Re[2]: `
const leader = new RegExp(
  String.raw`^(?:\[[^\][]*\] ?)*(?:${counted}|(?:re|fwd?|${marks})(?: ?\[[^\][]*\])?) ?${colon} ?`,
  'iu',
)
const listName = /^\[[^\][]*\] ?(?=\S)/
const trailer = / ?\(fwd\)$/i
const wrapped = /^\[fwd:(.*)\]$/i
// The longest line of RFC 5322; more is not needed for a comparison
const maxLength = 998

/**
 * Removes the marks of replies and forwarded mails, in the languages of common mail programs, and the names of
 * mailing lists from a decoded subject.
 * @example baseSubject('AW: [lamps] Re[2]: Broken lamp (fwd)') // { base: 'broken lamp', marked: true }
 * @see RFC 5256 section 2.1
 */
export function baseSubject(subject: string): BaseSubject {
  let rest = subject.slice(0, maxLength).normalize('NFC').replace(/\s+/gu, ' ').trim()
  let marked = false
  for (let before = ''; before !== rest; ) {
    before = rest
    const bare = rest.replace(trailer, '').replace(leader, '')
    const inner = wrapped.exec(bare)?.[1]?.trim()
    marked ||= bare !== rest || inner !== undefined
    rest = inner ?? bare.replace(listName, '')
  }
  return { base: rest.toLowerCase(), marked }
}
