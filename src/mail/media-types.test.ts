import { expect, it } from 'vitest'
import { contentTypeOf, extensionFor } from './media-types.js'

it('finds the type of a file and the extension of a type', () => {
  const files = [
    'report.PDF',
    'photo.jpeg',
    'photo.jpg',
    'notes.txt',
    'invite.ics',
    'archive.tar.xyz',
    'bare',
  ]
  expect(files.map(contentTypeOf)).toEqual([
    'application/pdf',
    'image/jpeg',
    'image/jpeg',
    'text/plain',
    'text/calendar',
    'application/octet-stream',
    'application/octet-stream',
  ])
  const types = ['image/jpeg', 'message/delivery-status', 'application/ics', 'font/woff']
  expect(types.map(extensionFor)).toEqual(['jpg', 'txt', 'ics', 'bin'])
})
