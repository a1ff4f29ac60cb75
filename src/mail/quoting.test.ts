import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteReply } from './quoting.js'
import { snippetOf } from './snippet.js'

const support = 'Support <support@agents.example>'

describe('quoteReply', () => {
  it('puts an attribution before the quoted lines', () => {
    const quoted = quoteReply({ from: support, date: '4 Jan 2026, 17:05', text: 'Hello Ann,\n\nthanks.\n' })
    expect(quoted).toBe(
      'On 4 Jan 2026, 17:05, Support <support@agents.example> wrote:\n> Hello Ann,\n>\n> thanks.',
    )
  })

  it('deepens what is quoted already, whatever its line ends', () => {
    const quoted = quoteReply({ from: 'Ann', date: 'Monday', text: 'Yes.\r\n> Sure?\r\n>> Lamps' })
    expect(quoted).toBe('On Monday, Ann wrote:\n> Yes.\n>> Sure?\n>>> Lamps')
  })

  it('keeps the attribution on one line', () => {
    const quoted = quoteReply({ from: 'Ann\r\nLee', date: 'Mon\u202f5', text: 'x' })
    expect(quoted.split('\n')[0]).toBe('On Mon 5, Ann Lee wrote:')
  })

  it('leaves no trace in the snippet of a reply', () => {
    const words = fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){0,30}$/)
    fc.assert(
      fc.property(words, fc.string({ unit: 'binary' }), (reply, text) => {
        const quoted = quoteReply({ from: support, date: '4 Jan 2026', text })
        const said = snippetOf({ text: reply, html: null })
        expect(snippetOf({ text: `${reply}\n\n${quoted}`, html: null })).toBe(said)
      }),
    )
  })
})
