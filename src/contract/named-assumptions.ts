import type { AssumptionOf, GapId } from './gaps.js'

/**
 * The assumptions of the gaps that extensions define, by gap: those of the extensions that ship. A program declares its own.
 * @example declare global { namespace AgentMailboxSim { interface Assumptions { 'labels.order': 'by-name' | 'by-age' } } }
 */
export interface ExtensionAssumptions extends AgentMailboxSim.Assumptions {}

declare global {
  namespace AgentMailboxSim {
    /** The assumptions of the gaps of extensions, by gap. */
    interface Assumptions {
      'common.create-status': 'created' | 'ok'
      'common.delete-answer': 'no-content' | 'deleted'
      'common.idempotency': 'ignored' | 'replayed'
      'common.idempotency-mismatch': 'ignored' | 'conflict' | 'unprocessable'
      'common.local-delivery': 'delivered' | 'not-delivered'
      'common.quoting': 'never' | 'below'
      'common.recipient-fields': 'hidden' | 'fields' | 'headers'
      'common.send-status': 'created' | 'accepted' | 'ok'
      'common.sent-answer': 'message' | 'ids'
      'common.token-shown': 'shown' | 'hidden'
      'common.unknown-fields': 'ignored' | 'rejected'
    }
  }
}

/** A gap that a program may name: one of the interface, or of an extension. */
export type NamedGap = GapId | (keyof ExtensionAssumptions & string)

type GapChoices = { readonly [Gap in GapId]?: AssumptionOf<Gap> }

type ExtensionChoices = { readonly [Gap in keyof ExtensionAssumptions]?: ExtensionAssumptions[Gap] }

/** Assumptions by gap, as a program may choose them. An interface, since declaration files would copy a type without its extensions. */
export interface NamedAssumptions extends GapChoices, ExtensionChoices {}
