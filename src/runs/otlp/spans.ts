import { parseJson } from '../../base/json.js'
import { readTraceparent, type TraceContext } from '../../base/trace-context.js'
import { operations } from '../../contract/operations.js'
import { hashText, hexOf } from '../../service/time/random.js'
import { formatInstant } from '../../service/time/time.js'
import { wallTime } from '../../service/time/wall-time.js'
import { showDelivery } from '../../service/webhooks/deliveries.js'
import type { DeliveryRecord } from '../../service/webhooks/delivery.js'
import type { RecordedExchange } from '../../service/world/exchange.js'
import type { JournalEntry } from '../../service/world/journal.js'
import type { World } from '../../service/world/world.js'
import type { Replayed } from '../replay/replay.js'
import { type Attributes, keyValues, type Span, spanKinds, unixNano } from './otlp.js'

/** Which of several plays it is. */
export interface NamedPlay {
  readonly trial?: number | undefined
  /** What it is about if there are several series, e.g. `under refund-to-stranger`. */
  readonly series?: string | undefined
}

/** Returns the spans of a play that has just ended: its own, those of its requests, and those of its deliveries. */
export function spansOf(played: Replayed, named: NamedPlay): Span[] {
  return new PlaySpans(played, named).all()
}

/** The spans of a play. */
class PlaySpans {
  readonly #played: Replayed
  readonly #named: NamedPlay
  readonly #world: World
  /** What is added to an instant of the machine's monotonic clock to get that of its date. */
  readonly #sinceEpoch: number
  readonly #verdict: string
  readonly #play: TraceContext
  /** The spans of requests by the message that they added, and by the trace that they belong to. */
  readonly #byMessage = new Map<string, TraceContext>()
  readonly #byTrace = new Map<string, TraceContext>()

  constructor(played: Replayed, named: NamedPlay) {
    const { simulator, report } = played
    this.#played = played
    this.#named = named
    this.#world = simulator.paced
    this.#sinceEpoch = wallTime() - this.#world.clock.monotonic
    this.#verdict = report.not_judged ?? (report.passed ? 'passed' : 'failed')
    // Two plays of the same story are two traces.
    const path = `otlp ${this.#sinceEpoch} ${played.wallMs} ${named.series} ${named.trial}`
    this.#play = { traceId: hexOf(hashText(path, played.story.seed)), spanId: '' }
    this.#play = { ...this.#play, spanId: this.#spanId('play') }
  }

  all(): Span[] {
    const requests = this.#world.journal.entries().flatMap((entry) => this.#request(entry) ?? [])
    const deliveries = this.#world.dispatcher.log.list().flatMap((record) => this.#attempts(record))
    return [this.#whole(), ...requests, ...deliveries]
  }

  #spanId(path: string): string {
    return hexOf(hashText(`${this.#play.traceId} ${path}`)).slice(0, 16)
  }

  /** Returns the span of the play, with its verdicts as events. */
  #whole(): Span {
    const { story, wallMs, verdicts, report } = this.#played
    const end = this.#sinceEpoch + this.#world.clock.monotonic
    return {
      ...this.#play,
      name: `replay ${story.scenario}`,
      kind: spanKinds.internal,
      startTimeUnixNano: unixNano(end - wallMs),
      endTimeUnixNano: unixNano(end),
      attributes: keyValues({
        'mailbox.scenario': story.scenario,
        'mailbox.seed': story.seed,
        'mailbox.trial': this.#named.trial,
        'mailbox.series': this.#named.series,
        'mailbox.verdict': this.#verdict,
        'mailbox.story_time': formatInstant(story.start),
      }),
      events: verdicts.map(({ key, describe, passed, found, at }) => ({
        timeUnixNano: unixNano(end),
        name: 'gen_ai.evaluation.result',
        attributes: keyValues({
          'gen_ai.evaluation.name': key ?? describe,
          'gen_ai.evaluation.score.label': passed ? 'passed' : 'failed',
          'gen_ai.evaluation.score.value': passed ? 1 : 0,
          'gen_ai.evaluation.explanation': passed ? undefined : this.#world.masker.text(found),
          'mailbox.story_time': at,
        }),
      })),
      ...(this.#verdict === 'failed' && {
        status: { code: 2 as const, ...(report.cause !== null && { message: report.cause }) },
      }),
    }
  }

  /** Returns the span of a request; undefined if it is not of this play but was only told again. */
  #request(entry: JournalEntry): Span | undefined {
    const { recorded, seq } = entry
    const { receivedMs, durationMs, requestHeaders, status, via } = recorded
    if (receivedMs === undefined) return undefined
    const traceparent = requestHeaders.get('traceparent')
    const parent = readTraceparent(traceparent)
    const context = { traceId: (parent ?? this.#play).traceId, spanId: this.#spanId(`exchange ${seq}`) }
    if (traceparent !== null && parent) this.#byTrace.set(traceparent, context)
    for (const { message } of this.#world.journal.commandsOf(entry)) {
      if (message !== null) this.#byMessage.set(message, context)
    }
    const start = this.#sinceEpoch + receivedMs
    // A client error is no error of a server, but one of a tool.
    const isError = status >= (via === 'mcp' ? 400 : 500) || status === 0
    const { name, attributes } = via === 'mcp' ? toolCall(recorded) : httpRequest(entry, this.#world)
    return {
      ...context,
      parentSpanId: (parent ?? this.#play).spanId,
      name,
      kind: spanKinds.server,
      startTimeUnixNano: unixNano(start),
      endTimeUnixNano: unixNano(start + durationMs),
      attributes: keyValues({ ...attributes, ...this.#about(entry) }),
      ...(parent && { links: [this.#play] }),
      ...(isError && { status: { code: 2 } }),
    }
  }

  /** Returns what a span says about a request besides the conventions. */
  #about(entry: JournalEntry): Attributes {
    const { seq, operation, at, fault, reliances, replayed } = entry.showWithoutBodies()
    return {
      'mailbox.world': this.#world.id,
      'mailbox.exchange': seq,
      'mailbox.operation': operation,
      'mailbox.story_time': at,
      'mailbox.gaps': gapsOf(reliances),
      'mailbox.fault': fault === null ? undefined : JSON.stringify(fault),
      'mailbox.replayed': replayed,
      'mailbox.verdict': this.#verdict,
    }
  }

  /** Returns the spans of the attempts of a delivery that were made in this play. */
  #attempts(record: DeliveryRecord): Span[] {
    const { attempts, reliances, id, url, event, message_id } = showDelivery(record.state, this.#world.masker)
    const { trace } = record.state
    const parent =
      this.#byMessage.get(message_id) ?? (trace === undefined ? undefined : this.#byTrace.get(trace))
    return attempts.flatMap(({ number, cause, at, duration_ms, response, error }, place) => {
      const sentMs = record.sentMs(place)
      if (sentMs === undefined) return []
      const start = this.#sinceEpoch + sentMs
      const problem =
        error?.code ?? (response && response.status >= 400 ? String(response.status) : undefined)
      const attributes = {
        'http.request.method': 'POST',
        'http.request.resend_count': number > 1 ? number - 1 : undefined,
        'http.response.status_code': response?.status,
        'error.type': problem,
        'url.full': url,
        ...serverAt(url),
        'mailbox.world': this.#world.id,
        'mailbox.delivery': id,
        'mailbox.event': event.type,
        'mailbox.attempt': cause,
        'mailbox.story_time': at,
        'mailbox.gaps': gapsOf(reliances),
        'mailbox.verdict': this.#verdict,
      }
      return {
        traceId: (parent ?? this.#play).traceId,
        spanId: this.#spanId(`${id} ${number}`),
        parentSpanId: (parent ?? this.#play).spanId,
        name: 'POST',
        kind: spanKinds.client,
        startTimeUnixNano: unixNano(start),
        endTimeUnixNano: unixNano(start + (duration_ms ?? 0)),
        attributes: keyValues(attributes),
        ...(parent && { links: [this.#play] }),
        ...(problem !== undefined && { status: { code: 2 as const } }),
      }
    })
  }
}

/** Returns the name and the attributes of a call of a tool. @see OpenTelemetry, semantic conventions for MCP */
function toolCall({ operation, requestBody, status }: RecordedExchange) {
  const refused = operation === null ? Object(parseJson(requestBody ?? '')).tool : undefined
  const tool = operation?.replaceAll(/[.-]/g, '_') ?? (typeof refused === 'string' ? refused : undefined)
  return {
    name: tool === undefined ? 'tools/call' : `tools/call ${tool}`,
    attributes: {
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'error.type': status >= 400 || status === 0 ? 'tool_error' : undefined,
    },
  }
}

/** Returns the name and the attributes of a request over HTTP. @see OpenTelemetry, semantic conventions for HTTP */
function httpRequest(entry: JournalEntry, { masker, extensions }: World) {
  const { operation, method, path, status, request } = entry.showRequest()
  const { base, search, requestHeaders } = entry.recorded
  const documented = operation !== null && Object.hasOwn(operations, operation)
  const route = documented
    ? operations[operation as keyof typeof operations].path
    : extensions.operations.find(({ id }) => id === operation)?.path
  return {
    name: route === undefined ? method : `${method} ${route}`,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status === 0 ? undefined : status,
      'error.type': status >= 500 ? String(status) : status === 0 ? 'no_response' : undefined,
      'url.path': path,
      'url.query': search === '' ? undefined : masker.forRequest(requestHeaders, search).url(search).slice(1),
      'url.scheme': base.split(':')[0],
      ...serverAt(base),
      'user_agent.original': request.headers['user-agent'],
    },
  }
}

function serverAt(url: string): Attributes {
  if (!URL.canParse(url)) return {}
  const { hostname, port, protocol } = new URL(url)
  return { 'server.address': hostname, 'server.port': Number(port || (protocol === 'https:' ? 443 : 80)) }
}

function gapsOf(
  reliances: readonly { readonly gap: string; readonly assumption: string }[],
): string[] | undefined {
  return reliances.length === 0 ? undefined : reliances.map(({ gap, assumption }) => `${gap}=${assumption}`)
}
