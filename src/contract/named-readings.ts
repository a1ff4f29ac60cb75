import type { GapId, ReadingOf } from './gaps.js'

/**
 * The readings of the gaps that extensions define, by gap: those of the extensions that ship. A program declares its own.
 * @example declare global { namespace AgentMailboxSim { interface Readings { 'labels.order': 'by-name' | 'by-age' } } }
 */
export interface ExtensionReadings extends AgentMailboxSim.Readings {}

declare global {
  namespace AgentMailboxSim {
    /** The readings of the gaps of extensions, by gap. */
    interface Readings {
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
export type NamedGap = GapId | (keyof ExtensionReadings & string)

type GapChoices = { readonly [Gap in GapId]?: ReadingOf<Gap> }

type ExtensionChoices = { readonly [Gap in keyof ExtensionReadings]?: ExtensionReadings[Gap] }

/** Readings by gap, as a program may choose them. An interface, since declaration files would copy a type without its extensions. */
export interface NamedReadings extends GapChoices, ExtensionChoices {}
