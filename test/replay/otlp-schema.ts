import { z } from 'zod'

/** The messages of a trace in the JSON form of the protocol, written after its trace.proto, common.proto and resource.proto. */

const id = (digits: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`))

const fixed64 = z.string().regex(/^\d{1,20}$/)

const anyValue: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({ stringValue: z.string() }),
    z.strictObject({ boolValue: z.boolean() }),
    z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
    z.strictObject({ doubleValue: z.number() }),
    z.strictObject({ arrayValue: z.strictObject({ values: z.array(anyValue) }) }),
  ]),
)

const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'Names of attributes are unique.')

const scope = z.strictObject({ name: z.string(), version: z.string() })

const span = z.strictObject({
  traceId: id(32),
  spanId: id(16),
  parentSpanId: id(16).optional(),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: fixed64,
  endTimeUnixNano: fixed64,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: fixed64, name: z.string().min(1), attributes })).optional(),
  links: z.array(z.strictObject({ traceId: id(32), spanId: id(16) })).optional(),
  status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }).optional(),
})

/** What a receiver gets, and a line of a file. @see OTLP, ExportTraceServiceRequest and TracesData */
export const tracesSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span) })),
    }),
  ),
})
