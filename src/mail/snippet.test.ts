import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../test/support/any-text.js'
import { snippetOf } from './snippet.js'

const ofText = (text: string) => snippetOf({ text, html: null })
const ofHtml = (html: string) => snippetOf({ text: null, html })

it.each<[about: string, text: string, snippet: string]>([
  ['is one line', '  Hello\r\n\r\n\tAnn,\u00a0\u200bhow\u0000are\u2028you?\n', 'Hello Ann, how are you?'],
  ['is 160 characters', `${'lamp '.repeat(31)}lamps`, `${'lamp '.repeat(31)}lamps`],
  ['is cut at a word', 'lamp '.repeat(40), `${'lamp '.repeat(32).slice(0, 159)}…`],
  ['is cut before a word', `${'lamp '.repeat(31)}lampshade`, `${'lamp '.repeat(31).trimEnd()}…`],
  ['is cut in a long word', `see ${'x'.repeat(3000)}`, `see ${'x'.repeat(155)}…`],
  ['is cut without blanks', '注文番号'.repeat(100), `${'注文番号'.repeat(40).slice(0, 159)}…`],
  ['keeps a surrogate pair', `${'x'.repeat(158)}🎉${'y'.repeat(99)}`, `${'x'.repeat(158)}…`],
  ['keeps a combining mark', `${'x'.repeat(158)}e\u0301\u0323${'y'.repeat(99)}`, `${'x'.repeat(158)}…`],
  ['keeps a joined emoji', `${'x'.repeat(158)}👩‍👩‍👧‍👦${'y'.repeat(99)}`, `${'x'.repeat(158)}…`],
  [
    'omits a quote',
    'Warm.\n\nOn Sun, 4 Jan at 16:12, Ann\n<a@x.example> wrote:\n\n> Which?\n >> Bulbs',
    'Warm.',
  ],
  ['omits a quote before it', 'On Sunday, Ann wrote:\r\n> Which?\r\n\r\nWarm ones.\r\n', 'Warm ones.'],
  ['omits a short attribution', 'Warm ones.\n\nNorthwind Support wrote:\n> Which?', 'Warm ones.'],
  ['keeps what quotes nothing', 'On Sunday I wrote:\nnothing at all.', 'On Sunday I wrote: nothing at all.'],
  ['keeps a question', 'On time?\n> Lamps\nYes.', 'On time? Yes.'],
  ['keeps lines apart', 'On Sunday\n\nAnn writes:\n> x', 'On Sunday Ann writes:'],
  ['keeps what a blank line separates', 'On Sunday\n\nAnn wrote:\n> x', 'On Sunday'],
  ['is a signature if nothing precedes it', '-- \nAnn Lee\nShop', 'Ann Lee Shop'],
  ['omits a signature', 'Thanks\n-- \nAnn Lee', 'Thanks'],
  ['omits a signature without its blank', 'Thanks\r\n--\r\nAnn Lee', 'Thanks'],
  ['keeps other hyphens', 'Thanks\n-- really --\nAnn', 'Thanks -- really -- Ann'],
])('the snippet of a text %s', (_, text, snippet) => {
  expect(ofText(text)).toBe(snippet)
})

it('falls back to the HTML, then to the subject', () => {
  expect(snippetOf({ text: ' \n', html: '<p>Hi</p>', subject: 'S' })).toBe('Hi')
  expect(snippetOf({ text: '> quoted', html: '<img src="x">', subject: ' Re:\n lamps ' })).toBe('Re: lamps')
  expect(snippetOf({ text: null, html: null })).toBe('')
})

const page = `<html><head><title>T</title><style>p { color: red }</style></head><body>
  <div style="display:none">early</div><p hidden>hidden</p><script>run()</script>
  <h1>Your order</h1><p>is <a href="https://shop.example/4187">on its way</a><img src="x" alt="lamp">.</p>
  <hr><table><tr><th>Lamps</th><td>2</td></tr></table></body></html>`

it.each<[about: string, html: string, snippet: string]>([
  ['is the visible text', page, 'Your order is on its way. Lamps 2'],
  ['includes text after the body', '<html><body></body></html><p>After all</p>', 'After all'],
  [
    'skips styles and comments',
    `<style>${'p {} '.repeat(900)}</style><!-- ${'x '.repeat(900)}-->Behind`,
    'Behind',
  ],
  ['reads 40,000 characters', `<!--${' '.repeat(39_983)}-->Lamps and more`, 'Lamps and'],
  [
    'omits a quoted mail',
    '<div>Six.</div><div>On Sunday, Ann wrote:<br><blockquote>How many?<br>4?</blockquote></div>',
    'Six.',
  ],
  ['includes items', '<ol type="I" start="99999"><li>one</li><li>two</li></ol><ul><li>x</ul>', 'one two x'],
  ['allows very deep nesting', `Hi ${'<div>'.repeat(50_000)}deep`, 'Hi'],
  [
    'omits a style after Turkish capitals',
    '<STYLE>İİİİİİİİ {}</STYLE><p>SİPARİŞ</p><!-- İÇ --><style>p {}</style><p>hazır</p>',
    'SİPARİŞ hazır',
  ],
])('the snippet of HTML %s', (_, html, snippet) => {
  expect(ofHtml(html)).toBe(snippet)
})

describe('any snippet', () => {
  const letters = ['é', 'e\u0301', '注', '🎉', '👩‍👧', '🇩🇪']
  const pieces = fc.constantFrom(...['a', 'lamp', ' ', '\n', '\r\n', 'x'.repeat(70)], ...letters)
  const soup = fc.array(pieces, { maxLength: 300 }).map((list) => list.join(''))

  it('is one line of at most 160 characters', () => {
    const text = fc.oneof(soup, anyText({ maxLength: 600 }), fc.string({ maxLength: 600 }))
    fc.assert(
      fc.property(fc.option(text), fc.option(text), text, (text, html, subject) => {
        const snippet = snippetOf({ text, html, subject })
        expect(snippet.length).toBeLessThanOrEqual(160)
        expect(snippet).not.toMatch(/[\p{Cc}\u2028\u2029]| {2}|^ | $/u)
      }),
      { numRuns: 100 },
    )
  })
})
