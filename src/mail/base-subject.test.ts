import { describe, expect, it } from 'vitest'
import { baseSubject } from './threading.js'

describe('baseSubject', () => {
  it('removes the marks of replies and forwarded mails', () => {
    const subjects =
      'Re: Broken lamp|RE: broken LAMP|Re : Broken lamp|re:Broken lamp|Re:\t Broken   lamp |' +
      'Re[2]: Broken lamp|RE(3): Broken lamp|Re^2: Broken lamp|Re2: Broken lamp|Fwd: Broken lamp|' +
      'FW: Broken lamp|AW: Broken lamp|Antwort: Broken lamp|WG: AW: Broken lamp|Sv: Broken lamp|' +
      'Antw: Broken lamp|Rif: Broken lamp|R: Broken lamp|Odp: Broken lamp|YNT: Broken lamp|' +
      'Отв: Broken lamp|回复: Broken lamp|回复：Broken lamp|答复: Re: Broken lamp|返信: Broken lamp|' +
      'Réf : Broken lamp|Re\u0301f: Broken lamp|Broken lamp (fwd)|Re: Broken lamp (Fwd) (fwd)|' +
      '[Fwd: Broken lamp]|[Fwd: Re: Broken lamp (fwd)]|[lamps] Re: Broken lamp|' +
      'Re: [lamps] Broken lamp|Re: [lamps] [urgent] Aw: Broken lamp|' +
      '[lamps][urgent] Re [lamps]: Broken lamp'
    for (const subject of subjects.split('|')) {
      expect(baseSubject(subject), subject).toEqual({ base: 'broken lamp', marked: true })
    }
  })

  it.each([
    ['Broken lamp', 'broken lamp'],
    ['[lamps] Broken lamp', 'broken lamp'],
    ['[lamps]', '[lamps]'],
    ['Regarding: the lamp', 'regarding: the lamp'],
    ['Return: the lamp', 'return: the lamp'],
    ['Lamp: re: lamp', 'lamp: re: lamp'],
    ['Report (fwd) of today', 'report (fwd) of today'],
    ['Re Broken lamp', 're broken lamp'],
    ['Order 4187', 'order 4187'],
    ['R2: results', 'r2: results'],
    ['', ''],
  ])('finds no mark in %s', (subject, base) => {
    expect(baseSubject(subject)).toEqual({ base, marked: false })
  })

  it.each(['Re:', 'Re: Fwd:', '[Fwd: ]', '(fwd)', 'AW: RE: '])('returns an empty base for %s', (subject) => {
    expect(baseSubject(subject)).toEqual({ base: '', marked: true })
  })

  it('uses the first 998 characters of long subjects', () => {
    for (const part of ['Re: ', '[a]', '[a] ', '(fwd)', '[fwd:', ' ', 're', '回复：']) {
      const { base } = baseSubject(part.repeat(400_000))
      expect(base.length).toBeLessThan(999)
    }
    expect(baseSubject(`Re: ${'x'.repeat(3000)}`).base).toBe('x'.repeat(994))
  })
})
