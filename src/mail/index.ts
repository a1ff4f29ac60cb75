export {
  formatMailbox,
  isAddress,
  type Mailbox,
  parseMailbox,
  parseMailboxList,
  sameAddress,
} from './address.js'
export type { ParsedAttachment } from './attachment-part.js'
export { sizeOfBase64, toBase64 } from './base64.js'
export { type ParsedMail, unknownSender } from './parsed-mail.js'
export { quoteReply } from './quote.js'
export { parseEml } from './read-eml.js'
export { receivedDate } from './received-date.js'
export { type SnippetSource, snippetOf } from './snippet.js'
export {
  furtherReferences,
  inDateOrder,
  type MailThread,
  type MailToThread,
  threadMails,
} from './threading.js'
