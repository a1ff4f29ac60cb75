import { expect, it } from 'vitest'
import { sourceFiles } from './source-code/source-files.js'

const declaration =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:const|function\*?|class|interface|type|enum|let) (\w+)/gm

it('each exported name of src has one meaning', () => {
  const places = new Map<string, Set<string>>()
  for (const { path, code } of sourceFiles()) {
    for (const [, name = ''] of code.matchAll(declaration)) {
      places.set(name, new Set([...(places.get(name) ?? []), path]))
    }
  }
  expect(places.size).toBeGreaterThan(1000)
  const several = [...places].filter(([, files]) => files.size > 1)
  expect(several.map(([name, files]) => `${name}: ${[...files].join(', ')}`)).toEqual([])
})
