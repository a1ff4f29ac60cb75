// Japanese text follows an address without a space.
const reserved = /\.(?:example|test|invalid)(?![\w.-])/

/** Host names in addresses and URLs, and words that look like public domains. */
function hostsIn(text: string): string[] {
  const addresses = [...text.matchAll(/[\p{L}\p{N}._%+-]@((?:[\p{L}\p{N}-]+\.)*[\p{L}\p{N}-]+)/gu)]
  const urls = [...text.matchAll(/\b(?:https?|ftp|wss?):\/\/([^\s/:?#"'<>()\\]+)/gu)]
  const others = [
    ...text.matchAll(/\b((?:[\w-]+\.)+(?:com|org|net|edu|gov|io|dev|info|biz|co|app|ai|de|fr|jp|br|uk))\b/gi),
  ]
  return [...addresses, ...urls, ...others].map(([, host = '']) => host.replace(/\.$/, ''))
}

/** Returns the domains in a text that are not reserved for examples. */
export function strangersIn(text: string): string[] {
  return hostsIn(text).filter((host) => host !== '127.0.0.1' && !reserved.test(host))
}

/** Every text in a value; base64 of attached files is no text. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => (key === 'content' ? [] : stringsOf(part)))
}
