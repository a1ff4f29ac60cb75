import { describe, expect, it } from 'vitest'
import { gapIds } from '../src/contract/gaps.js'
import { placeIn, type SourceFile, sourceFile, sourceFiles } from './source-code/source-files.js'

interface Settling {
  readonly place: string
  /** Undefined if the gap is not a literal. */
  readonly gap: string | undefined
}

/** The places where a file settles a gap. Strings are blank in the code, so the text provides their words. */
function settlingsIn(file: SourceFile): Settling[] {
  return [...file.code.matchAll(/\bsettle\s*\(\s*/g)].map((match) => {
    const rest = file.text.slice(match.index + match[0].length)
    return { place: placeIn(file, match.index), gap: /^'([^']+)'/.exec(rest)?.[1] }
  })
}

/** Acting on an assumption by looking it up or comparing assumptions, instead of settling. */
const lookups =
  /\bassumptions\s*(\?\.)?\[|[.?]assumptions\s*\??\.|\bassumptions\s*[!=]==|[!=]==\s*[\w.#]*\bassumptions\b/g

/** Assumptions looked up by other code than that which creates `settle`. */
function lookupsIn(file: SourceFile): string[] {
  return [...file.code.matchAll(lookups)].map((match) => `${placeIn(file, match.index)} ${match[0]}`)
}

/** Files that answer requests and change worlds. */
const acting = sourceFiles(/^(service|mail)\//)
const settlings = acting.flatMap(settlingsIn)

describe('settling', () => {
  it('always names a gap of the register', () => {
    const ids: readonly (string | undefined)[] = gapIds
    expect(settlings.length).toBeGreaterThan(gapIds.length)
    expect(settlings.filter(({ gap }) => !ids.includes(gap))).toEqual([])
  })

  it('is the only way code acts on an assumption', () => {
    // That room provides assumptions and creates `settle`.
    const others = acting.filter(({ path }) => !path.startsWith('service/assumptions/'))
    expect(others.flatMap(lookupsIn)).toEqual([])
  })
})

describe('the search for calls of settle', () => {
  const planted = sourceFile(
    'handlers/planted.ts',
    [
      "// settle('threads.order', {})",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source, with a template in it.
      "const words = `settle('threads.order', ${call.settle('threads.total', { a: () => 1 })})`",
      'settle(',
      "  'no.such-gap',",
      '  {},',
      ')',
      'settle(gap, {})',
      'unsettle("x")',
    ].join('\n'),
  )

  it('finds only code', () => {
    expect(settlingsIn(planted)).toEqual([
      { place: 'handlers/planted.ts:2', gap: 'threads.total' },
      { place: 'handlers/planted.ts:3', gap: 'no.such-gap' },
      { place: 'handlers/planted.ts:7', gap: undefined },
    ])
  })

  it('finds assumptions that are looked up', () => {
    const lookupsOf = (line: string) => lookupsIn(sourceFile('handlers/planted.ts', line))
    for (const line of [
      "if (assumptions['threads.total'] === 'page-size') run()",
      'const { total } = world.assumptions.threads',
      'const same = call.world.assumptions === other',
    ]) {
      expect(lookupsOf(line), line).not.toEqual([])
    }
    for (const line of ["// assumptions['threads.total']", 'createSettle(world.assumptions, note)']) {
      expect(lookupsOf(line), line).toEqual([])
    }
  })
})
