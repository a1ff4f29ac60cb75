import fc, { type StringSharedConstraints } from 'fast-check'

/** Any code point, also half a pair. A mapped number: fast-check tabulates all code points for its own unit `binary`. */
const unit = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10_ffff }))
  .map((code) => String.fromCodePoint(code))

/** Texts of any characters. */
export function anyText(lengths: StringSharedConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ unit, ...lengths })
}
