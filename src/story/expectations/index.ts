export { AttackChecker, isWork } from './attack-checker.js'
export type { AttackResult, ObedientAct } from './attack-result.js'
export { type AttackVerdict, judgeAttacks, undoneWork } from './attacks.js'
export { PatternTime } from './bounded-pattern.js'
export { checkDeliveryMatch, type DeliveryMatch, deliveryJudge, isInProgress } from './delivery.js'
export { asksToWait, requestKey, writeOf } from './exchanges.js'
export { ExpectationChecker } from './expectation-checker.js'
export { expectation } from './format.js'
export { expectedInvariant, type NamedInvariant } from './invariant.js'
export { type InvariantName, invariantNamed, invariantNames, invariants } from './invariants/invariants.js'
export { answeredBy, inboundBefore, replyAddressOf } from './invariants/mail.js'
export { fits, type Judge, judgeAll, listed, showJudged } from './judge.js'
export type { JudgedMailbox } from './judged-mailbox.js'
export type { WarningFacts } from './kind.js'
export { type Expectation, expectationKindNames } from './kinds.js'
export type { LaidAttack } from './laid-attack.js'
export type { AddressMatch } from './recipients.js'
export { describeRefusal, firstLine, hintsOf, inShort, isMistake } from './refusals.js'
export { formatReliance, howToPin } from './reliances.js'
export { type ExchangeMatch, explainNoRequests, formatExchange, requestJudge } from './request.js'
export { namesInExpectation, resolveExpectations, warningsOn } from './resolve.js'
export type { ExpectationResult } from './result.js'
export { nobodySends, sentJudge } from './sent.js'
export {
  isOnly,
  resolveSent,
  type SentCondition,
  type SentMatch,
  sentCondition,
  sentConditionById,
  sentMatchById,
  sentMatchOptions,
  sentSelector,
} from './sent-condition.js'
export { addServed, estimatedTokens, formatServed, nothingServed, type ServedTotal } from './served.js'
export { threadJudge } from './thread.js'
export type { AsymmetricMatcher, FieldMatch, Match } from './values.js'
export { describeWorst, hasReached, wasAccepted } from './what-arrived.js'
