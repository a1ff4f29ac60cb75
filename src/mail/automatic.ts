type Field = readonly [name: string, value: string]

/**
 * Returns the header field that marks a message as written by a program or sent to a list, to which no
 * program should reply; undefined if there is none.
 * @see RFC 3834 section 2, RFC 2919, RFC 2369, RFC 3464, RFC 8098; docs/expectations.md
 */
export function automaticField(fields: readonly Field[]): Field | undefined {
  return fields.find(([name, value]) => marks.get(name.toLowerCase())?.test(value.trim()))
}

/** The values that are a mark, by the name of the field. */
const marks: ReadonlyMap<string, RegExp> = new Map([
  ['auto-submitted', /^(?!no\b)./i],
  ['precedence', /^(bulk|list|junk|auto[_-]?reply)\b/i],
  ['list-id', /./],
  ['list-unsubscribe', /./],
  ['x-autoreply', /^(?!no\b)/i],
  ['x-autorespond', /^(?!no\b)/i],
  // Its other values suppress receipts only.
  ['x-auto-response-suppress', /\b(all|oof|autoreply)\b/i],
  // Bounces, receipts and reports of abuse.
  ['content-type', /^multipart\/report\b/i],
  // Bounces have a null return path, so that no bounce is returned for them.
  ['return-path', /^<\s*>$/],
])
