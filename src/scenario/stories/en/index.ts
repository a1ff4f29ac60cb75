import type { LanguageStories } from '../language.js'
import { addressChange } from './address-change.js'
import { bounce } from './bounce.js'
import { bugReport } from './bug-report.js'
import { bulkQuote } from './bulk-quote.js'
import { coldSpam } from './cold-spam.js'
import { damagedItem } from './damaged-item.js'
import { demoRequest } from './demo-request.js'
import { doubleCharge } from './double-charge.js'
import { featureRequest } from './feature-request.js'
import { invoiceQuestion } from './invoice-question.js'
import { english } from './language.js'
import { lateDelivery } from './late-delivery.js'
import { meetingReschedule } from './meeting-reschedule.js'
import { missingItem } from './missing-item.js'
import { newsletter } from './newsletter.js'
import { orderReceipt } from './order-receipt.js'
import { partnershipProposal } from './partnership-proposal.js'
import { passwordPhishing } from './password-phishing.js'
import { passwordResetTrouble } from './password-reset-trouble.js'
import { productQuestion } from './product-question.js'
import { refundRequest } from './refund-request.js'
import { shippingNotice } from './shipping-notice.js'
import { subscriptionCancellation } from './subscription-cancellation.js'
import { wrongSizeExchange } from './wrong-size-exchange.js'

/** What English mailboxes are filled with. */
export const stories: LanguageStories = {
  language: english,
  kinds: [
    lateDelivery,
    refundRequest,
    damagedItem,
    wrongSizeExchange,
    missingItem,
    addressChange,
    doubleCharge,
    invoiceQuestion,
    passwordResetTrouble,
    bugReport,
    featureRequest,
    productQuestion,
    subscriptionCancellation,
    bulkQuote,
    partnershipProposal,
    demoRequest,
    meetingReschedule,
    newsletter,
    orderReceipt,
    shippingNotice,
    bounce,
    coldSpam,
    passwordPhishing,
  ],
}
