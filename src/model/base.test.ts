import { describe, expect, it } from 'vitest'
import { sampleRow } from '../../test/support/model/sample-rows.js'
import { BaseBuilder, MailboxStore } from './index.js'

describe('BaseBuilder', () => {
  it('numbers the rows of each model in order', () => {
    const builder = new BaseBuilder((ordinal) => ordinal)
    expect(builder.add('thread', sampleRow.thread('thrd_x')).ordinal).toBe(0)
    expect(builder.add('message', sampleRow.message('msg_x')).ordinal).toBe(0)
    expect(builder.add('thread', sampleRow.thread('thrd_y'))).toMatchObject({ id: 'thrd_y', ordinal: 1 })
  })

  it('refuses an existing id', () => {
    const builder = new BaseBuilder((ordinal) => ordinal)
    builder.add('thread', sampleRow.thread('thrd_x'))
    expect(() => builder.add('thread', sampleRow.thread('thrd_x'))).toThrow(/cannot be replaced/)
  })

  it('builds no usable store without an organization', () => {
    const empty = new BaseBuilder((ordinal) => ordinal).build(() => ({ text: null, html: null }))
    expect(() => new MailboxStore(empty).firstOrganization()).toThrow('at least one organization')
  })
})
