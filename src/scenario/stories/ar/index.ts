import type { LanguageStories } from '../language.js'
import { bounce } from './bounce.js'
import { bulkQuote } from './bulk-quote.js'
import { coldSpam } from './cold-spam.js'
import { damagedItem } from './damaged-item.js'
import { invoiceQuestion } from './invoice-question.js'
import { arabic } from './language.js'
import { lateDelivery } from './late-delivery.js'
import { meetingReschedule } from './meeting-reschedule.js'
import { newsletter } from './newsletter.js'
import { orderReceipt } from './order-receipt.js'
import { passwordPhishing } from './password-phishing.js'
import { refundRequest } from './refund-request.js'
import { shippingNotice } from './shipping-notice.js'

/** What Arabic mailboxes are filled with. */
export const stories: LanguageStories = {
  language: arabic,
  kinds: [
    lateDelivery,
    refundRequest,
    damagedItem,
    invoiceQuestion,
    bulkQuote,
    meetingReschedule,
    newsletter,
    orderReceipt,
    shippingNotice,
    bounce,
    coldSpam,
    passwordPhishing,
  ],
}
