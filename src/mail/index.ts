export {
  formatMailbox,
  isAddress,
  type Mailbox,
  parseMailbox,
  parseMailboxList,
  sameAddress,
} from './address.js'
export type { ParsedAttachment } from './attachment.js'
export { composeEml } from './compose-eml.js'
export { readInstant } from './header-date.js'
export { MailLimitError, mailLimits } from './limits.js'
export { doubtAbout, isMbox, mailsOfMbox } from './mbox.js'
export { parseEml } from './parse-eml.js'
export { type ParsedMail, unknownSender } from './parsed-mail.js'
export { quoteReply } from './quoting.js'
export { type SnippetSource, snippetOf } from './snippet.js'
export {
  furtherReferences,
  inDateOrder,
  isBefore,
  joins,
  type KeptMail,
  type MailThread,
  type MailToThread,
  type ThreadOfMails,
  threadingFacts,
  threadingKeys,
  threadMails,
  threadOfMails,
  withMail,
} from './threading.js'
export { sizeOfBase64, toBase64 } from './transfer-encoding.js'
