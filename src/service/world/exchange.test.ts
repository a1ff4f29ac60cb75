import { describe, expect, it } from 'vitest'
import { bodyOf, recordedExchange } from '../../../test/support/world/recorded-exchange.js'
import { smallWorld } from '../../../test/support/world/small-world.js'
import { Masker } from '../record/masker.js'
import { JournalEntry, type RecordedExchange } from './exchange.js'

function shown(fields: Partial<RecordedExchange>, bodyCharacters = 1000, keys: readonly string[] = []) {
  return new JournalEntry(0, recordedExchange(fields), {
    ...{ world: 'world_1', masker: new Masker(() => keys), bodyCharacters },
  }).show()
}

describe('an exchange in the journal', () => {
  it('lists all values of a repeated query parameter', () => {
    const query = shown({ search: '?limit=1&limit=2&limit=3&__proto__=x&empty=&a%20b=c%26' })?.query
    expect(Object.entries(query ?? {})).toEqual([
      ['limit', ['1', '2', '3']],
      ['__proto__', 'x'],
      ['empty', ''],
      ['a b', 'c&'],
    ])
  })

  it('shows no part of a token at the cut of a long body with many tokens', () => {
    const body = Array.from({ length: 4000 }, (_, n) => `"token":"${'secret'.repeat(1 + (n % 9))}",`).join('')
    for (const characters of [1, 9, 10, 11, 15, 24, 1000, 1001, 10_000, 10_007, 65_536]) {
      expect(shown({ responseBody: bodyOf(body) }, characters)?.response.body).not.toMatch(/s|e.?c/)
    }
  })

  it('shows no part of a key where the text ends that is masked of a long body', () => {
    const key = 'k7'.repeat(20)
    const body = bodyOf(`${key} `.repeat(1000))
    expect(shown({ responseBody: body }, 1000, [key])?.response.body).not.toContain('k7')
  })

  it('shows a body of a million characters, whatever it is', () => {
    for (const value of ['x', '\\n', "'"]) {
      const body = JSON.stringify({ token: value.repeat(1_000_000 / value.length) })
      expect(shown({ responseBody: bodyOf(body), requestBody: body })?.response.body).toBe('{"token":"***"…')
      expect(new Masker().text(body)).toBe('{"token":"***"}')
    }
  })

  it('truncates a long body with a mark', () => {
    expect(shown({ responseBody: bodyOf('12345') }, 5)?.response.body).toBe('12345')
    expect(shown({ responseBody: bodyOf('123456') }, 5)?.response.body).toBe('12345…')
    expect(shown({ requestBody: '123456' }, 0)?.request.body).toBe('…')
    const world = smallWorld()
    world.record(recordedExchange({ responseBody: bodyOf('x'.repeat(70_000)) }))
    expect(world.journal.exchanges()[0]?.response.body).toBe(`${'x'.repeat(65_536)}…`)
  })
})
