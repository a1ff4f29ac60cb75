import type { LanguageStories } from '../language.js'
import { bounce } from './bounce.js'
import { bulkQuote } from './bulk-quote.js'
import { coldSpam } from './cold-spam.js'
import { damagedItem } from './damaged-item.js'
import { invoiceQuestion } from './invoice-question.js'
import { french } from './language.js'
import { lateDelivery } from './late-delivery.js'
import { loginTrouble } from './login-trouble.js'
import { meetingReschedule } from './meeting-reschedule.js'
import { newsletter } from './newsletter.js'
import { orderReceipt } from './order-receipt.js'
import { passwordPhishing } from './password-phishing.js'
import { productQuestion } from './product-question.js'
import { refundRequest } from './refund-request.js'

/** What French mailboxes are filled with. */
export const stories: LanguageStories = {
  language: french,
  kinds: [
    lateDelivery,
    refundRequest,
    damagedItem,
    invoiceQuestion,
    loginTrouble,
    bulkQuote,
    productQuestion,
    meetingReschedule,
    newsletter,
    orderReceipt,
    bounce,
    coldSpam,
    passwordPhishing,
  ],
}
