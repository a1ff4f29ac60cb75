/**
 * Media types and file extensions. The first extension of a type names files without a name, and the first type of an
 * extension is that of a file.
 */
const mediaTypes: readonly (readonly [type: string, ...extensions: string[]])[] = [
  ['application/json', 'json'],
  ['application/pdf', 'pdf'],
  ['application/pgp-signature', 'asc'],
  ['application/pkcs7-mime', 'p7m'],
  ['application/pkcs7-signature', 'p7s'],
  ['application/zip', 'zip'],
  ['image/gif', 'gif'],
  ['image/jpeg', 'jpg', 'jpeg'],
  ['image/png', 'png'],
  ['message/rfc822', 'eml'],
  ['text/calendar', 'ics'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/plain', 'txt'],
  ['application/ics', 'ics'],
  ['message/delivery-status', 'txt'],
  ['message/disposition-notification', 'txt'],
  ['text/rfc822-headers', 'txt'],
]

/** Returns the media type that the extension of a file suggests. */
export function contentTypeOf(filename: string): string {
  const extension = filename.split('.').at(-1)?.toLowerCase() ?? ''
  const [type = 'application/octet-stream'] =
    mediaTypes.find(([, ...extensions]) => extensions.includes(extension)) ?? []
  return type
}

/** Returns the extension for files of a media type: `bin` if it is unknown. */
export function extensionFor(contentType: string): string {
  const [, extension = 'bin'] = mediaTypes.find(([type]) => type === contentType) ?? []
  return extension
}
