import { describe, expect, it } from 'vitest'
import { baseOf, handles } from '../../test/support/model/checked-store.js'
import { sampleRow } from '../../test/support/model/sample-rows.js'
import { BaseBuilder, MailboxStore } from './index.js'

describe('a base while it is filled', () => {
  it('gives rows the ordinals of their model, in the order they came', () => {
    const builder = new BaseBuilder((ordinal) => ordinal)
    expect(builder.add('thread', sampleRow.thread('thrd_x')).ordinal).toBe(0)
    expect(builder.add('message', sampleRow.message('msg_x')).ordinal).toBe(0)
    expect(builder.add('thread', sampleRow.thread('thrd_y'))).toMatchObject({ id: 'thrd_y', ordinal: 1 })
  })

  it('takes no id twice', () => {
    const builder = new BaseBuilder((ordinal) => ordinal)
    builder.add('thread', sampleRow.thread('thrd_x'))
    expect(() => builder.add('thread', sampleRow.thread('thrd_x'))).toThrow(/cannot be replaced/)
  })
})

describe('what a store finds in a base', () => {
  const store = new MailboxStore(baseOf({ threads: [], messages: [] }))

  it('takes a key for the first organization that lists it', () => {
    expect(store.organizationByKey('key-a')?.id).toBe('org_a')
    expect(store.organizationByKey('key-b')?.id).toBe('org_b')
    expect(store.organizationByKey('key-shared')?.id).toBe('org_a')
    expect(store.organizationByKey('Key-a')).toBeUndefined()
    expect(store.firstOrganization().id).toBe('org_a')
  })

  it('keeps organizations apart', () => {
    expect(store.identityByHandle('org_b', handles[0])).toBeUndefined()
    expect(store.identityAnywhere(handles[2])?.organization_id).toBe('org_b')
  })

  it('has no row and no list for what is not there', () => {
    expect(store.get('thread', 'thrd_nobody')).toBeUndefined()
    expect(store.get('thread', '__proto__')).toBeUndefined()
    expect(store.threads('thrd_nobody').count).toBe(0)
    expect(store.webhooks('org_a').page({ order: 'created', offset: 0, limit: 50 })).toEqual([])
  })

  it('fails loudly without an organization', () => {
    const empty = new BaseBuilder((ordinal) => ordinal).build(() => ({ text: null, html: null }))
    expect(() => new MailboxStore(empty).firstOrganization()).toThrow('at least one organization')
  })
})

describe('the words of a message', () => {
  const builder = new BaseBuilder((ordinal) => ordinal)
  builder.add('organization', sampleRow.organization('org_a'))
  builder.add('message', sampleRow.message('msg_own', { text: 'Hello', html: '<p>Hello</p>' }))
  builder.add('message', sampleRow.message('msg_made', { text: null, html: null, body_key: 'a/b' }))
  const store = new MailboxStore(builder.build((key) => ({ text: `made for ${key}`, html: null })))

  it('are its own, or made from its key', () => {
    const [own, made] = store.rows('message', ['msg_own', 'msg_made'])
    expect(own && store.bodyOf(own)).toMatchObject({ text: 'Hello', html: '<p>Hello</p>' })
    expect(made && store.bodyOf(made)).toEqual({ text: 'made for a/b', html: null })
  })
})
