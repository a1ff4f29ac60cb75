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

/** The body of a request, or an answer: by its media type. */
export interface BodyObject extends Notes {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: SchemaObject }>>
}

/** An operation, documented or of an extension. */
export interface OperationObject extends Notes {
  readonly operationId: string
  /** Whether an extension of the simulator answers it: the interface does not show it. */
  readonly 'x-extension'?: true
  readonly description: string
  readonly summary: string
  readonly tags: readonly string[]
  /** The ways in which bearer keys may be required; an empty one stands for none. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly ParameterObject[]
  readonly requestBody?: BodyObject
  /** Documented operations have a 200; those of extensions what they say. */
  readonly responses: {
    readonly 200: BodyObject
    readonly [status: number]: BodyObject | { readonly $ref: string }
    readonly default: { readonly $ref: string }
  }
}

/** The operations of a path, by method; only extensions have others than `get` and `patch`. */
export type PathItem = {
  readonly [Method in 'get' | 'patch' | 'post' | 'put' | 'delete']?: OperationObject
}
