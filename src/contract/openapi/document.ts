import type { GapId } from '../gaps.js'

/** A gap where it concerns something of the document. */
export interface GapNote {
  readonly id: GapId
  readonly question: string
  /** The possible answers, the default first. */
  readonly readings: readonly { readonly name: string; readonly means: string }[]
  readonly default: string
  /** The reading in force, where the document is of something that has chosen. */
  readonly reading?: string
  /** The parts of the interface that leave it open, e.g. `4.3, 8`. */
  readonly part: string
}

/** What may stand beside anything in the document. */
export interface Notes {
  readonly 'x-gaps'?: readonly GapNote[]
  readonly 'x-interface-part'?: string
}

/** A schema in JSON Schema 2020-12; the keywords that tell its structure are typed. */
export interface SchemaObject extends Notes {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly items?: SchemaObject
  readonly [keyword: string]: unknown
}

/** A reference to a component. */
export interface Reference {
  readonly $ref: string
}

/** Bodies by media type. */
type BodyContent = Readonly<Record<string, { readonly schema: SchemaObject }>>

/** A parameter of the path or of the query. */
export interface ParameterObject extends Notes {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description: string
  readonly style?: 'form'
  readonly explode?: boolean
  readonly schema: SchemaObject
}

/** The body of a request. */
export interface RequestBodyObject extends Notes {
  readonly description: string
  readonly content: BodyContent
}

/** An answer. */
export interface ResponseObject extends Notes {
  readonly description: string
  readonly content?: BodyContent
}

/** One way in which bearer keys may be required; an empty one stands for none. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

/** A documented operation. */
export interface OperationObject extends Notes {
  readonly operationId: string
  /** Whether an extension of the simulator answers it: the interface does not show it. */
  readonly 'x-extension'?: true
  readonly description: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly security: readonly SecurityRequirement[]
  readonly parameters: readonly ParameterObject[]
  readonly requestBody?: RequestBodyObject
  /** Documented operations have a 200; those of extensions what they say. */
  readonly responses: {
    readonly 200: ResponseObject
    readonly [status: number]: ResponseObject | Reference
    readonly default: Reference
  }
}

/** A delivery to a subscriber. */
export interface DeliveryObject extends Notes {
  readonly operationId: string
  readonly security: readonly SecurityRequirement[]
  readonly summary: string
  readonly description: string
  readonly requestBody: RequestBodyObject
  readonly responses: { readonly default: ResponseObject }
}

/** The operations of a path. */
export interface PathItem {
  readonly get?: OperationObject
  readonly patch?: OperationObject
  /** Only extensions have others. */
  readonly post?: OperationObject
  readonly put?: OperationObject
  readonly delete?: OperationObject
}

/** What the document refers to by name. */
interface Components {
  readonly schemas: Readonly<Record<string, SchemaObject>>
  readonly responses: Readonly<Record<string, ResponseObject>>
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
}

/** How requests show who sends them. */
export interface SecurityScheme extends Notes {
  readonly type: 'http'
  readonly scheme: 'bearer'
  readonly description: string
}

/** A base address with a variable in it. */
interface ServerObject {
  readonly url: string
  readonly description?: string
  readonly variables?: Readonly<Record<string, { readonly default: string }>>
}

/** The documented interface in OpenAPI 3.1: plain JSON. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string; readonly identifier: string }
  }
  readonly servers: readonly ServerObject[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, { readonly post: DeliveryObject }>>
  readonly components: Components
}
