import { describe, expect, it } from 'vitest'
import { fakePlay, home } from './fake-play.js'
import { heldServer } from './held-server.js'

const minute = 60_000

describe('waits', () => {
  it('end when story time gets there', async () => {
    const play = await fakePlay()
    const agent = await play.node(`
      import { setTimeout as sleep } from 'node:timers/promises'
      await sleep(60_000)
      setTimeout(console.log, 120_000, 'late')
      setTimeout(console.log, 30_000, 'early')
    `)
    expect(await play.rest()).toMatchObject([{ works: null, waits: [[minute, minute]] }])
    expect(await play.fire(minute - 1)).toBe(0)
    expect(await play.fire(minute)).toBe(1)
    const waits = [
      [1.5 * minute, 0.5 * minute],
      [3 * minute, 2 * minute],
    ]
    expect(await play.rest()).toMatchObject([{ waits }])
    expect(await play.fire(3 * minute)).toBe(2)
    expect(await agent.output()).toBe('early\nlate\n')
  })
})

describe('requests', () => {
  it('to others are work until their responses end', async () => {
    const play = await fakePlay()
    const model = await heldServer()
    const agent = await play.node(`
      const response = await fetch('${model.url}/v1/chat?key=1', { method: 'POST', body: '{}' })
      console.log(await response.text())
    `)
    const { response } = await model.next()
    const asks = [{ what: `POST ${model.url}/v1/chat`, to: model.host }]
    expect(await play.probe()).toMatchObject([{ works: null, asks }])
    expect(play.asked).toEqual([`POST ${model.url}/v1/chat`])
    response.write('first')
    expect(await play.probe()).toMatchObject([{ works: null, asks }])
    response.end(' last')
    expect(await agent.output()).toBe('first last\n')
  })

  it('to the service are counted apart', async () => {
    const play = await fakePlay()
    const service = await heldServer()
    const agent = await play.node(
      `await fetch('${service.url.replace('127.0.0.1', 'localhost')}/v0').then((response) => response.text())`,
      { MAILBOX_BASE_URL: service.url },
    )
    const { response } = await service.next()
    expect(await play.probe()).toMatchObject([{ works: null, asks: [], own: 1 }])
    response.end()
    expect(await agent.output()).toBe('')
    expect(home).toMatch(/^http/)
  })
})
