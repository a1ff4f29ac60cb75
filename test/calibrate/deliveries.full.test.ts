import { expect, it } from 'vitest'
import { calibrate } from '../../src/calibrate/calibrate.js'
import { findingsOf } from '../../src/calibrate/findings.js'
import { startServer } from '../../src/server/index.js'
import { startPause } from '../../src/world/wall-time.js'
import { mailboxOf } from './instance.js'

const needs = new Set(['reads', 'deliveries'] as const)

it('learns what deliveries tell, under any readings', { timeout: 600_000 }, async () => {
  for (let seed = 0; seed < 4; seed++) {
    const clock = '10x'
    const server = await startServer({
      port: 0,
      scenario: mailboxOf(12) as never,
      readings: `seed:${seed}`,
      clock,
    })
    const { simulator } = server
    const told: string[] = []
    const send = (subject: string) => {
      return simulator.mail.receive({ to: 'support', from: 'Ann <ann@example.com>', subject, text: 'Hello.' })
    }
    let isSending = false
    const write = async (): Promise<void> => {
      isSending = true
      for (let number = 1; number <= 6; number++) {
        await send(`Mail ${number}`)
        await startPause(400).over
      }
      await startPause(5_000).over
      await simulator.mail.receive({
        to: 'sales',
        from: 'Ann <ann@example.com>',
        subject: 'Offer',
        text: 'Hello.',
      })
      for (let number = 1; number <= 12; number++) await send(`Calibration ${number}`)
      const sent = await simulator.mail.send({
        from: 'support',
        to: ['ann@example.com'],
        subject: 'Bye',
        text: 'Bye.',
      })
      await simulator.mail.bounced(sent.message.id)
    }
    const calibration = await calibrate({
      ...{ baseUrl: server.url, apiKey: 'rich-key', rate: 1000, maxRequests: 300, needs },
      listen: {
        port: 0,
        duration: 30_000,
        tell: (sentence) => {
          told.push(sentence)
          const port = /127\.0\.0\.1:(\d+)/.exec(sentence)?.[1]
          if (port !== undefined) {
            const at = (path: string) => `http://127.0.0.1:${port}/${path}`
            simulator.webhooks.create({
              url: at('a'),
              events: ['message.received'],
              agentHandle: 'support',
              authToken: 's3cret',
            })
            simulator.webhooks.create({ url: at('b'), events: ['message.bounced'] })
            simulator.webhooks.create({
              url: at('c'),
              events: ['message.bounced', 'message.received'],
              agentHandle: 'sales',
            })
          }
          if (sentence.startsWith('Send a mail') && !isSending) void write()
        },
      },
    })
    const truth: Readonly<Record<string, string>> = simulator.readings.current()
    const findings = findingsOf(calibration, needs)
    const events = findings.filter(({ gap }) => gap.startsWith('events.'))
    const wrong = findings.filter(({ gap, status, candidates }) => {
      return status === 'none-fits' || !candidates.includes(truth[gap] as string)
    })
    const missing = events.flatMap(({ gap, status }) =>
      status === 'learned' ? [] : [`${gap}=${truth[gap]}`],
    )
    expect(wrong, `seed:${seed}`).toEqual([])
    expect(missing.length, `seed:${seed}: ${missing.join()}`).toBeLessThan(5)
    await server.close()
  }
})
