import { version } from '../../base/package.js'

/** A value of an attribute. @see OTLP, common.proto */
type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } }

interface KeyValue {
  readonly key: string
  readonly value: AnyValue
}

/** Attributes by name; those without a value are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | null | undefined>>

type AttributeValue = string | number | boolean | readonly string[]

/** The kinds of spans that are written. @see OTLP, trace.proto */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const

/** A span in the JSON form of the protocol: ids in hexadecimal, instants as decimal nanoseconds. @see OTLP, trace.proto */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds]
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly KeyValue[]
  readonly events?: readonly SpanEvent[]
  readonly links?: readonly Pick<Span, 'traceId' | 'spanId'>[]
  readonly status?: { readonly code: 2; readonly message?: string }
}

/** Something that happened in a span. */
export interface SpanEvent {
  readonly timeUnixNano: string
  readonly name: string
  readonly attributes: readonly KeyValue[]
}

/** Returns attributes as the protocol writes them. */
export function keyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    return value === null || value === undefined ? [] : [{ key, value: anyValue(value) }]
  })
}

function anyValue(value: AttributeValue): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { arrayValue: { values: value.map(anyValue) } }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Returns an instant, in milliseconds since the epoch, as the protocol writes it. */
export function unixNano(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`
}

/** Returns spans as one message of the protocol. @see OTLP, ExportTraceServiceRequest */
export function tracesData(spans: readonly Span[]): object {
  const name = 'agent-mailbox-sim'
  return {
    resourceSpans: [
      {
        resource: { attributes: keyValues({ 'service.name': name, 'service.version': version }) },
        scopeSpans: [{ scope: { name, version }, spans }],
      },
    ],
  }
}
