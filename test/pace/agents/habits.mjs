// Answers each mail once, and has a habit of agents as people have them, which its argument names.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { Worker } from 'node:worker_threads'
import { call, desk, inbox, PORT, pause, think } from './desk.mjs'

const [, , habit] = process.argv
const sink = (port = process.env.SINK) => connect(Number(port), '127.0.0.1')
const lock = new Int32Array(new SharedArrayBuffer(4))

const poll = async (react, seconds = 5, each = () => {}) => {
  for (;;) {
    each()
    await react()
    await pause(seconds)
  }
}
/** Acts each time that an interval has passed so often. */
const every = (seconds, times, act) => {
  let count = 0
  setInterval(() => ++count % times === 0 && act(), 1000 * seconds)
}
/** Gives up what takes half a minute. */
const guarded = async (promise) => {
  const guard = setTimeout(() => process.exit(1), 30_000)
  await promise
  clearTimeout(guard)
}
/** Works until a time of its own clock. */
const until = (act) => async () => {
  for (const end = Date.now() + 1000; Date.now() < end; ) act()
}
const endless = () =>
  new Promise((resolve) => {
    const worker = new Worker('for (;;);', { eval: true }).once('exit', resolve)
    setTimeout(() => worker.terminate(), 2000)
  })

const habits = {
  quick: () => poll(desk(), 0.2),
  idle: () => sink() && poll(desk()),
  log: (log = sink()) => poll(desk(), 5, () => log.write('poll\n')),
  collector: () => {
    const url = `http://127.0.0.1:${process.env.SINK}/log`
    return poll(
      desk(),
      5,
      () => void fetch(url, { method: 'POST', body: `${Math.random()}` }).catch(() => {}),
    )
  },
  jobs: (queue = sink(process.env.JOBS)) => {
    const ask = () => queue.write('next\n')
    queue.on('data', ask)
    ask()
    return poll(desk())
  },
  asks: () => {
    let model
    const ask = async () => {
      if (!model) {
        model = sink(process.env.JOBS)
        await once(model, 'data')
      }
      for (let question = 1; question <= 3; question++) {
        model.write('what\n')
        await once(model, 'data')
      }
    }
    return poll(desk(ask))
  },
  told: (react = desk()) => process.stdin.on('data', async () => process.stdout.write(`${await react()}\n`)),
  tells: () => {
    const child = spawn(process.execPath, [import.meta.filename, 'told'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return poll(() => guarded(Promise.all([once(child.stdout, 'data'), child.stdin.write('look\n')])), 20)
  },
  graceful: () => {
    process.once('SIGTERM', () => pause(0.3).then(() => process.exit()))
    return poll(desk())
  },
  cleans: () => {
    for (const name of readdirSync(tmpdir())) {
      if (name.startsWith('ams-')) rmSync(`${tmpdir()}/${name}`, { recursive: true, force: true })
    }
    return poll(desk())
  },
  mute: () => connect(process.env.MAILBOX_SIM_OBSERVER.split(':')[1]).on('error', () => {}) && poll(desk()),
  lies: () => {
    const states = [
      '{}',
      '5',
      '{"works":5,"asks":{},"links":[null],"listens":[[]],"idle":null,"waits":[[1]]}',
    ]
    const hellos = ['5', '{}', '{"pid":"a","tell":1,"look":1}', '{"pid":99999,"runtime":"x","thread":0}']
    const lies = [
      ...hellos.map((one) => `{"hello":${one}}`),
      '{"ask":5}',
      '{"end":{}}',
      '[]',
      'x'.repeat(1e5),
    ]
    for (const lie of lies) {
      const [host, port] = process.env.MAILBOX_SIM_OBSERVER.split(':')
      const line = connect(Number(port), host).on('error', () => {})
      line.write(`${lie}\n`)
      line.once('data', (text) => {
        const look = /"look":(\d+)/.exec(text)?.[1]
        for (const state of states)
          line.write(`{"look":${look},"state":${state}}\n{"gone":${look},"now":"x"}\n`)
      })
    }
    return poll(desk())
  },
  stops: () => poll(desk(), 5, () => process.uptime() > 50 && process.kill(process.pid, 'SIGSTOP')),
  pool: () => {
    // It blocks before its observer has said anything, but not before that has connected.
    const block = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    const idle = new Worker(`process.nextTick(${block})`, { eval: true })
    return poll(desk(() => idle.threadId))
  },
  blocks: () => poll(desk(until(() => Atomics.wait(lock, 0, 0, 200)))),
  endless: () => poll(desk(endless)),
  beats: () => every(1, 1, () => {}),
  apart: () => fork(import.meta.filename, ['beats']) && poll(desk()),
  cron: () => every(1, 600, desk()),
  unguarded: () => {
    const answered = new Set()
    const act = async () => {
      for await (const [last] of inbox()()) {
        if (answered.has(last.id)) continue
        await think()
        answered.add(last.id)
        await call(`mail/messages/${last.id}/reply`, { text: 'It does.' })
      }
    }
    every(2, 1, act)
  },
  queue: () => {
    const jobs = []
    createServer((request, response) => {
      request.resume().on('end', () => response.end('{}', () => jobs.push(1)))
    }).listen(Number(PORT), '127.0.0.1')
    const react = desk()
    return poll(async () => jobs.splice(0).length > 0 && (await react()))
  },
  fails: () => {
    let failures = 2
    const react = desk()
    createServer((request, response) => {
      request.resume().on('end', async () => {
        response.writeHead(failures-- > 0 ? 500 : 200).end()
        if (response.statusCode === 200) await react()
      })
    }).listen(Number(PORT), '127.0.0.1')
  },
}
await habits[habit]()
