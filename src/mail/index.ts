export {
  formatMailbox,
  formatRecipient,
  isAddress,
  parseMailbox,
  parseMailboxList,
  parseWholeMailboxList,
  sameAddress,
} from './address.js'
export { automaticField } from './automatic.js'
export { composeEml } from './compose-eml.js'
export { encodeText } from './encode-text.js'
export { messageIdsIn } from './encoded-words.js'
export { readInstant } from './header-date.js'
export { isMbox, mailsOfMbox, suspicionAbout } from './mbox.js'
export { contentTypeOf } from './media-types.js'
export { parseEml } from './parse-eml.js'
export { MailLimitError, type ParsedMail, unknownSender } from './parsed-mail.js'
export { snippetOf, textOfHtml } from './snippet.js'
export {
  baseSubject,
  furtherReferences,
  inDateOrder,
  isBefore,
  isForwarded,
  joins,
  type MailToThread,
  type ThreadOfMails,
  threadingFacts,
  threadingKeys,
  threadMails,
  threadOfMails,
  withMail,
} from './threading.js'
export { base64Mistake, fromBase64, sizeOfBase64, toBase64, toHex } from './transfer-encoding.js'
