import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { snippetOf } from './snippet.js'

const ofText = (text: string) => snippetOf({ text, html: null })
const ofHtml = (html: string) => snippetOf({ text: null, html })

describe('the snippet of a text', () => {
  it('is one line with single spaces', () => {
    expect(ofText('  Hello\r\n\r\n\tAnn,\u00a0\u200bhow\u0000are\u2028you?\n')).toBe(
      'Hello Ann, how are you?',
    )
  })

  it('is the text itself up to 160 characters', () => {
    const text = `${'lamp '.repeat(31)}lamps`
    expect(text).toHaveLength(160)
    expect(ofText(text)).toBe(text)
  })

  it('is cut at a word, with the ellipsis within the 160 characters', () => {
    expect(ofText('lamp '.repeat(40))).toBe(`${'lamp '.repeat(32).slice(0, 159)}…`)
    expect(ofText(`${'lamp '.repeat(31)}lampshade`)).toBe(`${'lamp '.repeat(31).trimEnd()}…`)
  })

  it('is cut inside a very long word', () => {
    expect(ofText(`see ${'x'.repeat(3000)}`)).toBe(`see ${'x'.repeat(155)}…`)
    expect(ofText('注文番号'.repeat(100))).toBe(`${'注文番号'.repeat(40).slice(0, 159)}…`)
  })

  it.each([
    ['a surrogate pair', `${'x'.repeat(158)}🎉${'y'.repeat(99)}`],
    ['a combining mark', `${'x'.repeat(158)}e\u0301\u0323${'y'.repeat(99)}`],
    ['a joined emoji', `${'x'.repeat(158)}👩‍👩‍👧‍👦${'y'.repeat(99)}`],
  ])('keeps %s whole', (_, text) => {
    expect(ofText(text)).toBe(`${'x'.repeat(158)}…`)
  })

  it('omits quoted lines and their attribution', () => {
    const reply =
      'Warm white.\n\nOn Sun, 4 Jan 2026 at 16:12, Support\n<support@agents.example> wrote:\n\n> Which?\n >> Bulbs'
    expect(ofText(reply)).toBe('Warm white.')
    expect(ofText(`On Sunday, Ann wrote:\r\n> Which?\r\n\r\nWarm ones.\r\n`)).toBe('Warm ones.')
    expect(ofText('Warm ones.\n\nNorthwind Support wrote:\n> Which?')).toBe('Warm ones.')
  })

  it('keeps a line that only looks like an attribution', () => {
    expect(ofText('On Sunday I wrote:\nnothing at all.')).toBe('On Sunday I wrote: nothing at all.')
    expect(ofText('On time?\n> Lamps\nYes.')).toBe('On time? Yes.')
    expect(ofText('On Sunday\n\nAnn writes:\n> x')).toBe('On Sunday Ann writes:')
  })

  it('is the text after a signature mark at the start', () => {
    expect(ofText('-- \nAnn Lee\nShop')).toBe('Ann Lee Shop')
  })

  it('ends before the signature', () => {
    expect(ofText('Thanks\n-- \nAnn Lee')).toBe('Thanks')
    expect(ofText('Thanks\r\n--\r\nAnn Lee')).toBe('Thanks')
    expect(ofText('Thanks\n-- really --\nAnn')).toBe('Thanks -- really -- Ann')
  })

  it('falls back to the HTML, then to the subject', () => {
    expect(snippetOf({ text: ' \n', html: '<p>Hi</p>', subject: 'S' })).toBe('Hi')
    expect(snippetOf({ text: '> quoted', html: '<img src="x">', subject: ' Re:\n lamps ' })).toBe('Re: lamps')
    expect(snippetOf({ text: null, html: null })).toBe('')
  })
})

describe('the snippet of HTML', () => {
  it('includes text after the body and after long images, styles and comments', () => {
    expect(ofHtml('<html><body></body></html><p>After all</p>')).toBe('After all')
    const data = `data:image/png;base64,${'QUJD'.repeat(50_000)}`
    expect(ofHtml(`<img src="${data}"><p>Behind</p>`)).toBe('Behind')
    expect(
      ofHtml(`<style>${'p { color: red } '.repeat(9000)}</style><!-- ${'x '.repeat(90_000)}-->Behind`),
    ).toBe('Behind')
    expect(ofHtml(`<header>Lamps</header>${'<!-- -->'.repeat(9000)}</head>Behind <!-- and no end`)).toBe(
      'Lamps Behind',
    )
  })

  it('is the visible text', () => {
    const html = `<html><head><title>T</title><style>p { color: red }</style></head><body>
      <div style="display:none">early</div><p hidden>hidden</p><script>run()</script>
      <h1>Your order</h1><p>is <a href="https://shop.example/4187">on its way</a><img src="x" alt="lamp">.</p>
      <hr><table><tr><th>Lamps</th><td>2</td></tr></table></body></html>`
    expect(ofHtml(html)).toBe('Your order is on its way. Lamps 2')
  })

  it('omits a quoted mail', () => {
    const html =
      '<div>Six, please.</div><div>On Sunday, Support wrote:<br><blockquote>How many?<br>Four?</blockquote></div>'
    expect(ofHtml(html)).toBe('Six, please.')
  })

  it('includes the items of any list', () => {
    expect(ofHtml('<ol type="I" start="99999"><li>one</li><li>two</li></ol><ul><li>x</ul>')).toBe('one two x')
  })

  it('allows very deep nesting', () => {
    expect(ofHtml(`Hi ${'<div>'.repeat(50_000)}deep`)).toBe('Hi')
  })
})

describe('any snippet', () => {
  const letters = ['é', 'e\u0301', '注', '🎉', '👩‍👧', '🇩🇪']
  const pieces = fc.constantFrom(...['a', 'lamp', ' ', '\n', '\r\n', 'x'.repeat(70)], ...letters)
  const soup = fc.array(pieces, { maxLength: 300 }).map((list) => list.join(''))

  it('is one line of at most 160 characters', () => {
    const text = fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ maxLength: 600 }))
    fc.assert(
      fc.property(fc.option(text), fc.option(text), text, (text, html, subject) => {
        const snippet = snippetOf({ text, html, subject })
        expect(snippet.length).toBeLessThanOrEqual(160)
        expect(snippet).not.toMatch(/[\p{Cc}\u2028\u2029]| {2}|^ | $/u)
      }),
      { numRuns: 500 },
    )
  })

  it('ends at the end of a character', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const line = text.replace(/\s+/g, ' ').trim()
        const shown = ofText(text).replace(/…$/, '')
        const boundaries = [...new Intl.Segmenter('en').segment(line)].map(({ index }) => index)
        expect(line.startsWith(shown)).toBe(true)
        expect([...boundaries, line.length]).toContain(shown.length)
      }),
      { numRuns: 500 },
    )
  })
})

it('omits a style after Turkish capitals', () => {
  const html = `<STYLE>İİİİİİİİ { color: red }</STYLE><p>SİPARİŞ</p><!-- İÇ --><style>p { margin: 0 }</style>`
  expect(snippetOf({ text: null, html: `${html}<p>hazır</p>` })).toBe('SİPARİŞ hazır')
})

it('omits the quote in a reply', () => {
  const words = fc.stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){0,30}$/)
  fc.assert(
    fc.property(words, fc.string({ unit: 'binary' }), (reply, text) => {
      const lines = text.trimEnd().split(/\r\n|\r|\n/)
      const quoted = lines.map((line) => (line === '' || line.startsWith('>') ? `>${line}` : `> ${line}`))
      const attribution = 'On 4 Jan 2026, Support <support@agents.example> wrote:'
      const snippet = snippetOf({ text: reply, html: null })
      const whole = [reply, '', attribution, ...quoted].join('\n')
      expect(snippetOf({ text: whole, html: null })).toBe(snippet)
    }),
  )
})
