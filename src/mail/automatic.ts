type Field = readonly [name: string, value: string]

/**
 * Returns the header field that marks a message as written by a program or sent to a list, to which no
 * program should reply; undefined if there is none.
 * @see RFC 3834 section 2, RFC 2919, RFC 3464
 */
export function automaticField(fields: readonly Field[]): Field | undefined {
  return fields.find(([name, value]) => marks.get(name.toLowerCase())?.test(value.trim()))
}

/** The values that are a mark, by the name of the field. */
const marks: ReadonlyMap<string, RegExp> = new Map([
  ['auto-submitted', /^(?!no\b)./i],
  ['precedence', /^(bulk|list|junk)\b/i],
  ['list-id', /./],
  // Bounces have a null return path, so that no bounce is returned for them.
  ['return-path', /^<\s*>$/],
])
