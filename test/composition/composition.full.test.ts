import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { running } from '../cli/program.js'
import { sharedFolder } from '../support/temporary-folder.js'
import { type Door, doors, inProcess } from './doors.js'
import { nameOf, type Told, timeOn } from './session.js'
import { type Source, sources, writeScenario } from './sources.js'
import { memory, stores } from './stores.js'
import { moves } from './story.js'

const clocks = ['frozen', '10x'] as const

/** The values of each axis, by its name. */
type Axes = Readonly<Record<string, readonly unknown[]>>

/** One value of each axis. */
type Row<A extends Axes> = { readonly [Name in keyof A]: A[Name][number] }

/**
 * Returns rows that have every pair of values of two axes which any possible row has. Deterministic: each row begins with
 * the first pair that is still missing, and takes for every other axis the value that adds the most missing pairs.
 */
function pairwise<A extends Axes>(axes: A, isPossible: (row: Row<A>) => boolean): Row<A>[] {
  const names = Object.keys(axes)
  const combine = (rows: object[], name: string): object[] =>
    rows.flatMap((row) => (axes[name] ?? []).map((value) => ({ ...row, [name]: value })))
  const possible = (names.reduce(combine, [{}]) as Row<A>[]).filter(isPossible)
  const indexOf = (name: string, row: Row<A>): number => (axes[name] ?? []).indexOf(row[name])
  const pairsOf = (row: Row<A>): string[] =>
    names.flatMap((one, index) =>
      names.slice(index + 1).map((other) => `${one} ${indexOf(one, row)} ${other} ${indexOf(other, row)}`),
    )
  const missing = new Set(possible.flatMap(pairsOf))
  const rows: Row<A>[] = []
  while (missing.size > 0) {
    const gain = (row: Row<A>): number => pairsOf(row).filter((pair) => missing.has(pair)).length
    const best = possible.reduce((most, row) => (gain(row) > gain(most) ? row : most))
    for (const pair of pairsOf(best)) missing.delete(pair)
    rows.push(best)
  }
  return rows
}

interface Combination {
  readonly door: Door
  readonly store: (typeof stores)[number]
}

/** The reason why a combination cannot exist; undefined if it can. */
function whyNot({ door, store }: Combination): string | undefined {
  return store.missing ?? (store.durable ? door.onlyMemory : undefined)
}

/**
 * Rows that have all 136 pairs of two values that any case can have: a store that outlives a program and a door without a state
 * make none. Without a store for Redis, 122 pairs are left.
 */
const rows = pairwise({ door: doors, source: sources, store: stores, clock: clocks, move: moves }, (row) => {
  return whyNot(row) === undefined
})

const cases = rows.map((row, index) => {
  const { door, source, store, clock, move } = row
  const name = [door.name, source.name, store.name, clock, move.name].join(' × ')
  return [name, { ...row, number: index + 1 }] as const
})

const folder = sharedFolder()
const client = join(folder, 'client.mjs')
/** What each receiver got since it was last asked, by its path. */
const received = new Map<string, string[]>()

/** Takes deliveries at any path, and tells what came there. */
const receiver = createServer(async (request, response) => {
  const path = request.url ?? ''
  const got = received.get(path) ?? []
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.method === 'GET') response.end(JSON.stringify(got.splice(0)))
  else {
    received.set(path, [...got, nameOf(JSON.parse(Buffer.concat(chunks).toString()))])
    response.end()
  }
})

// More than the processors of a small machine, since some cases wait.
vi.setConfig({ maxConcurrency: 3 })

beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  const bundle = await rolldown({ input: join(import.meta.dirname, 'clients/client.ts'), platform: 'node' })
  await bundle.write({ file: client })
})

afterAll(() => {
  receiver.close()
  for (const child of running) child.kill('SIGKILL')
})

async function open(source: Source, name: string) {
  // Paths of users have spaces and quotes.
  const own = await mkdtemp(join(folder, `${name} it's `))
  // Not an address of the loopback interface, to which anything may be delivered, but it leads there.
  const url = `http://0.0.0.0:${(receiver.address() as AddressInfo).port}/${name}`
  return { folder: own, receiver: url, scenario: await writeScenario(source, own, url) }
}

/** What each source's story looks like if nothing interrupts it, by the door that all others must equal. */
const uninterrupted = new Map<Source, Promise<readonly Told[]>>()

async function tellUninterrupted(source: Source): Promise<readonly Told[]> {
  const opened = await open(source, `story-${sources.indexOf(source)}`)
  const words = ['past', 'future'] as const
  const told = await inProcess.play({
    ...opened,
    source,
    words,
    clock: 'frozen',
    number: 0,
    store: memory,
    client,
  })
  expectConversations(told.flatMap(({ seen }) => seen).join())
  return told.map((each) => ({ ...each, seen: withoutAddress(each.seen, opened.receiver) }))
}

/** Checks that answers to a message name it by the Message-ID that it is shown with. */
function expectConversations(answers: string): void {
  const named = (field: string) =>
    [...answers.matchAll(new RegExp(`"${field}":"([^"]*)"`, 'gi'))].map(([, id]) => id)
  const answered = named('In-Reply-To')
  expect(answered).not.toEqual([])
  expect(named('Message-ID')).toEqual(expect.arrayContaining(answered))
}

/** Leaves out where the receiver of a case is, and the id of the subscription, which depends on that. */
function withoutAddress(seen: readonly string[], address: string): string[] {
  return seen.map((text) => text.replaceAll(address, '<receiver>').replace(/whk_\w+/, '<webhook>'))
}

/** Returns the first difference between what was seen and what should have been, with a few words around it. */
function differenceOf(seen: readonly string[], wanted: readonly string[]): string | undefined {
  const step = Array.from({ length: Math.max(seen.length, wanted.length) }).findIndex((_, index) => {
    return seen[index] !== wanted[index]
  })
  if (step < 0) return undefined
  const [found = '', expected = ''] = [seen[step], wanted[step]]
  const at = [...found].findIndex((character, index) => character !== expected[index])
  const part = (text: string): string => text.slice(Math.max(0, at - 80), Math.max(0, at) + 120)
  return `answer ${step + 1}: …${part(found)}… instead of …${part(expected)}…`
}

it('has a case for every pair of values that a case can have', () => {
  const pairs = rows.flatMap((row) => {
    const values = Object.values(row).map((value) => (typeof value === 'string' ? value : value.name))
    return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one} × ${other}`))
  })
  expect(new Set(pairs).size).toBe(stores.some(({ missing }) => missing) ? 122 : 136)
})

describe.concurrent('a story is the same', () => {
  it.each(cases)('%s', async (name, { number, door, source, store, clock, move }) => {
    try {
      const telling = uninterrupted.get(source) ?? tellUninterrupted(source)
      uninterrupted.set(source, telling)
      const story = await telling
      const opened = await open(source, `case-${number}`)
      const words = move.words(store.durable)
      const told = await door.play({ ...opened, number, source, store, clock, words, client })
      expect(told.length).toBeGreaterThan(1)
      for (const [index, { chapter, seen }] of told.entries()) {
        const wanted = story.find((each) => each.chapter === chapter)?.seen ?? []
        const same = (texts: readonly string[]) => texts.map((text) => timeOn(clock, text))
        const difference = differenceOf(same(withoutAddress(seen, opened.receiver)), same(wanted))
        expect(difference, `the ${chapter} in chapter ${index + 1} of ${words}`).toBeUndefined()
      }
    } catch (error) {
      const line = `npx vitest run --config vitest.full.config.ts test/composition -t '${name}'`
      if (error instanceof Error) error.message += `\nTo run it alone: ${line}`
      throw error
    }
  })
})
