import type { Path } from '../../base/mistake.js'
import { expectedOneOf, formatDuration } from '../../base/text.js'
import type { Identity, Message, Thread } from '../../contract/resources.js'
import { formatMailbox, parseMailboxList } from '../../mail/address.js'
import { WorldError } from '../../service/model/errors.js'
import { formatInstant } from '../../service/time/time.js'
import type { Lookups } from '../compile/names.js'
import { handle, key } from '../format/values.js'
import { type Compiling, defineExpectationKind, stateKeys, type Written } from './kind.js'
import { describeExpected, formatDifference, formatValue, type Match, matchFields, matchOf } from './match.js'
import { type Moment, type StoryWindow, TimeWindow } from './time-window.js'
import type { Compiled, JudgedMailbox, NearestMatch, RunFacts, Tracker } from './tracker.js'

/** Expects a state of an agent, a thread or a message: at the end, or at some moment of a window. */
interface ExpectedState {
  readonly kind: 'identity' | 'thread' | 'message'
  readonly id: string
  /** The scenario's name for it, e.g. `thread refund of support`. */
  readonly name: string
  /** The expected fields, as the service returns them. */
  readonly has: Readonly<Record<string, Match>>
  readonly window: StoryWindow
}

const identity = handle.optional().describe('About this agent, or the owner of the thread.')
const thread = key.optional().describe('About the thread with that key, or the thread of the message.')
const message = key.optional().describe('About the message with that key.')

/** An expectation of a state in a scenario. */
type WrittenState = Partial<
  Written<{ identity: typeof identity; thread: typeof thread; message: typeof message } & typeof stateKeys>
>

/** The expectation of the state of an agent. */
export const identityExpectations = defineExpectationKind({
  about: 'an identity',
  keys: { identity, ...stateKeys },
  ...stateOf('identity', [
    'display_name',
    'description',
    'mailbox_address',
    'agent_handle',
  ] satisfies (keyof Identity)[]),
})

/** The expectation of the state of a thread. */
export const threadExpectations = defineExpectationKind({
  about: 'a thread',
  keys: { thread, identity, ...stateKeys },
  ...stateOf('thread', ['subject', 'snippet', 'unread', 'message_count'] satisfies (keyof Thread)[]),
})

/** The expectation of the state of a message. */
export const messageExpectations = defineExpectationKind({
  about: 'a message',
  keys: { message, thread, identity, ...stateKeys },
  ...stateOf('message', ['direction', 'from', 'to', 'subject', 'text', 'html'] satisfies (keyof Message)[]),
})

/** Returns what the expectations of states have in common; `fields` may be compared. */
function stateOf(kind: ExpectedState['kind'], fields: readonly string[]) {
  return {
    required: ['has'] as 'has'[],
    problemWith({ has }: WrittenState) {
      return has === undefined ? `"${kind}" says what it has: { ${kind}: …, has: { … } }` : undefined
    },
    compile(written: WrittenState, { names, path, window }: Compiling) {
      const subject = subjectOf(names, written, path)
      const has: Record<string, Match> = {}
      for (const [field, value] of Object.entries(written.has ?? {})) {
        const own = [...path, 'has', field]
        if (!fields.includes(field)) {
          const article = kind === 'identity' ? 'an' : 'a'
          const message = () =>
            `${article} ${kind} has no such field to compare${expectedOneOf(field, fields)}`
          names.problem(own, message, 'key')
        } else if (JSON.stringify(value).includes('{{')) {
          names.problem(
            own,
            'no template is filled in here; expected the value, or a part of it as "contains"',
          )
        } else {
          // In the form in which messages contain a sender.
          const [sender] = field === 'from' && typeof value === 'string' ? parseMailboxList(value) : []
          has[field] = matchOf(sender ? formatMailbox(sender) : value)
        }
      }
      return subject && expectState({ ...subject, kind, has, window })
    },
  }
}

/** Returns the expectation of a state. */
export function expectState(state: ExpectedState): Compiled {
  return { state, window: state.window, track: (facts) => trackState(state, facts) }
}

/** Returns the resource whose state is expected. */
function subjectOf(
  names: Lookups,
  written: WrittenState,
  path: Path,
): Pick<ExpectedState, 'id' | 'name'> | undefined {
  const { owner, thread, message } = names.target(written, path) ?? {}
  const resource = message ?? thread
  if (resource) {
    const { id, key } = resource
    return { id, name: `${message ? 'message' : 'thread'} "${key}" of ${resource.owner.handle}` }
  }
  return owner && { id: owner.id, name: `identity ${owner.handle}` }
}

/** Checks the state of an agent, a thread or a message: at the end, or at any moment of a window. */
function trackState(state: ExpectedState, { mailbox, milestones }: RunFacts): Tracker {
  const { kind, id, name, has: wanted } = state
  const window = new TimeWindow(state.window, milestones)
  const when = window.isWhole ? 'at the end' : `at some moment ${window.describe()}`
  let cameTrueAt: Moment | undefined
  let tooLate: Moment | undefined

  function differencesOf(resource: object | undefined): string[] {
    return resource ? matchFields(wanted, resource).map(formatDifference) : ['it does not exist']
  }

  function show(resource: object | undefined): string {
    if (!resource) return `there is no ${name}`
    return Object.keys(wanted)
      .map((field) => `${field}: ${formatValue((resource as Record<string, unknown>)[field] ?? null)}`)
      .join(', ')
  }

  function nearest(at: number, lines: readonly string[]): NearestMatch {
    return { line: `${name}, ${id}`, exchange: null, at: formatInstant(at), differences: lines }
  }

  const into = ({ at }: Moment): string => `${formatDuration(at - milestones.start)} into the story`

  return {
    expected: `${name} has ${describeExpected(wanted)} ${when}`,
    get decided() {
      return !window.isWhole && cameTrueAt !== undefined
    },
    observe({ type, moment }) {
      if (type !== 'state' || window.isWhole || cameTrueAt) return
      const place = window.positionOf(moment)
      if (place === 'early' || (place === 'late' && tooLate)) return
      if (differencesOf(resourceOf(mailbox, kind, id)).length > 0) return
      if (place === 'within') cameTrueAt = moment
      else tooLate = moment
    },
    evaluate(end) {
      const resource = resourceOf(mailbox, kind, id)
      const differing = differencesOf(resource)
      const ofEnd = resource ? nearest(end, differing) : null
      if (window.isWhole) {
        const passed = differing.length === 0
        return { passed, found: show(resource), nearest: passed ? null : ofEnd }
      }
      if (cameTrueAt) {
        return { passed: true, found: `that, ${into(cameTrueAt)}`, nearest: null }
      }
      const at = window.endBy(end)
      if (tooLate) {
        const late = nearest(tooLate.at, window.differences(tooLate))
        return { passed: false, at, found: `that, but only ${into(tooLate)}`, nearest: late }
      }
      const { missing } = window
      const never = missing === undefined ? 'not once' : `${missing} did not come`
      return { passed: false, at, found: `${never}; at the end ${show(resource)}`, nearest: ofEnd }
    },
  }
}

/** Returns a resource as the service returns it; undefined if there is none with that id. */
function resourceOf(
  { identities, threads, mail }: JudgedMailbox,
  kind: ExpectedState['kind'],
  id: string,
): object | undefined {
  try {
    return { identity: identities, thread: threads, message: mail }[kind].get(id)
  } catch (error) {
    if (error instanceof WorldError && error.code === 'not-found') return undefined
    throw error
  }
}
