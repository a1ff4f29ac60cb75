import { describe, expect, it } from 'vitest'
import { createRandom } from '../../service/time/random.js'
import { linearEngine } from './linear-pattern.js'

describe('the linear engine', () => {
  it('matches as JavaScript does', async () => {
    await linearEngine().load()
    const random = createRandom(7, 'patterns')
    const pick = <Value>(values: readonly Value[]): Value =>
      values[random.integer(0, values.length - 1)] as Value
    // Without those that JavaScript takes for other letters if case does not matter, such as the long s.
    const letters = [...'ab A\n\r\t\v.é\u00a0\u2028\ufeff0_-😀ß']
    const atoms = [
      ...[
        'a',
        'b',
        '.',
        '\\s',
        '\\S',
        '\\w',
        '\\W',
        '\\d',
        '\\D',
        '[ab]',
        '[^a]',
        '[\\s.]',
        '[^\\S\\n]',
        '[a-\\u{e9}]',
      ],
      ...[
        '\\b',
        '\\B',
        '^',
        '$',
        '\\p{L}',
        '\\P{Lu}',
        '\\u00e9',
        '\\x41',
        '[^]',
        '\\n',
        '\\/',
        '(?:a|ab)',
        '(?<x>b)',
      ],
    ]
    const quantifiers = ['', '', '', '*', '+', '?', '{2}', '{1,3}', '*?', '{2,}']
    const others: object[] = []
    let compared = 0
    for (let turn = 0; turn < 800; turn++) {
      const flags = pick(['', 'i', 's', 'is', 'm'])
      const matches = Array.from({ length: random.integer(1, 4) }, () => {
        const atom = pick(atoms)
        return /^[\^$]$|^\\b$/i.test(atom) ? atom : atom + pick(quantifiers)
      }).join('')
      const test = linearEngine().testOf({ matches, flags })
      if (!test) continue
      const native = new RegExp(matches, `u${flags}`)
      for (let index = 0; index < 5; index++) {
        const text = Array.from({ length: random.integer(0, 6) }, () => pick(letters)).join('')
        if (test(text) !== native.test(text)) others.push({ matches, flags, text })
        compared++
      }
    }
    expect(others).toEqual([])
    expect(compared).toBeGreaterThan(3000)
  })

  it('has no form of a reference to a group or of a condition on what is around', async () => {
    await linearEngine().load()
    const tests = ['(a)\\1', 'a(?=b)', '(?<!a)b'].map((matches) =>
      linearEngine().testOf({ matches, flags: '' }),
    )
    expect(tests).toEqual([undefined, undefined, undefined])
  })
})
