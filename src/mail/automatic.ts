type Field = readonly [name: string, value: string]

/**
 * Returns the header field that marks a mail as written by a program or sent to a list, which nobody should answer by a
 * program; undefined without any.
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
  // Bounces have a null return path, so that they are never answered by another one.
  ['return-path', /^<\s*>$/],
])
