import { describe, expect, it } from 'vitest'
import { wildcard } from '../../contract/text.js'
import { bouncesBy } from './command.js'

describe('bouncesBy', () => {
  it.each([
    ['ann@mail.example', 'ann@mail.example', true],
    ['ann@mail.example', 'ANN@Mail.example', true],
    ['ann@mail.example', 'joann@mail.example', false],
    ['ann@mail.example', 'ann@mailxexample', false],
    ['*@invalid.example', 'ann@invalid.example', true],
    ['*@invalid.example', 'ann@invalid.example.test', false],
    ['*@*.invalid', 'ann@box.invalid', true],
    ['*@*.invalid', 'ann@invalid', false],
    ['*+dead@*', 'ann+dead@mail.example', true],
    ['*+dead@*', 'ann@mail.example', false],
    ['a*a@b', 'a@b', false],
    ['a*a@b', 'aa@b', true],
    ['*a*a*@b', 'xaxax@b', true],
    ['*a*a*@b', 'xax@b', false],
    ['*@*', 'ann@mail.example', true],
  ])('%s matches %s: %s', (pattern, address, fits) => {
    expect(bouncesBy([pattern])(address)).toBe(fits)
  })

  it('does not backtrack over many stars', () => {
    const stars = `${'*a'.repeat(60)}*b@mail.example`
    expect(bouncesBy([stars])(`${'a'.repeat(200)}@mail.example`)).toBe(false)
  })
})

it('does not backtrack over many ways to match', () => {
  for (const pattern of ['/*a*a*a*b', `/${'*a'.repeat(500)}*b`, `*${'ab*'.repeat(200)}c`]) {
    const fits = wildcard(pattern)
    for (let turn = 0; turn < 1000; turn++) expect(fits(`/${'a'.repeat(4000)}`)).toBe(false)
  }
})
