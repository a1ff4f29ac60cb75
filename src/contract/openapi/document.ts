import type { GapId } from '../gaps.js'

/** The note of a gap beside a part of the document that it affects. */
export interface GapNote {
  readonly id: GapId
  readonly question: string
  /** The possible assumptions, the default first. */
  readonly assumptions: readonly { readonly name: string; readonly means: string }[]
  readonly default: string
  /** The assumption in force, if the document describes a simulator with assumptions. */
  readonly assumption?: string
  /** The parts of the interface that leave it open, e.g. `4.3, 8`. */
  readonly part: string
}

/** The notes that any part of the document can have. */
export interface Notes {
  readonly 'x-gaps'?: readonly GapNote[]
  readonly 'x-interface-part'?: string
}

/** A schema in JSON Schema 2020-12, with types for the keywords that define its structure. */
export interface SchemaObject extends Notes {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly items?: SchemaObject
  readonly [keyword: string]: unknown
}

/** A parameter of the path or of the query. */
export interface ParameterObject extends Notes {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly style?: 'form'
  readonly explode?: boolean
  readonly schema: SchemaObject
}

/** The body of a request or of a response, by media type. */
export interface BodyObject extends Notes {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: SchemaObject }>>
}

/** An operation, documented or of an extension. */
export interface OperationObject extends Notes {
  readonly operationId: string
  /** Whether it belongs to an extension of the simulator rather than to the interface. */
  readonly 'x-extension'?: true
  readonly description: string
  readonly summary: string
  readonly tags: readonly string[]
  /** The accepted kinds of authentication; an empty object stands for none. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly ParameterObject[]
  readonly requestBody?: BodyObject
  /** Documented operations have a 200; those of extensions, the status they declare. */
  readonly responses: {
    readonly 200: BodyObject
    readonly [status: number]: BodyObject | { readonly $ref: string }
    readonly default: { readonly $ref: string }
  }
}

/** The operations of a path, by method; only extensions have methods other than `get` and `patch`. */
export type PathItem = {
  readonly [Method in 'get' | 'patch' | 'post' | 'put' | 'delete']?: OperationObject
}
