import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

describe('npm run release -- --dry-run', () => {
  it('says what a release would be, within the sizes the package may have, and writes nothing', () => {
    const before = readFileSync(`${root}/package.json`, 'utf8')
    const release = ['build/release.mjs', '99.0.0', '--dry-run']
    const { stdout } = spawnSync(process.execPath, release, { cwd: root, encoding: 'utf8' })
    const [packed, unpacked] = (/^package +(\d+) bytes packed, (\d+)/m.exec(stdout) ?? [])
      .slice(1)
      .map(Number)
    expect(packed).toBeLessThanOrEqual(2_000_000)
    expect(unpacked).toBeLessThanOrEqual(9_000_000)
    expect(stdout).toMatch(/^version +\S+ → 99\.0\.0\nchangelog +[1-9]\d* points/)
    expect(stdout).toMatch(/^commit +Release 99\.0\.0, tag v99\.0\.0\npublish +npm publish --provenance/m)
    expect(readFileSync(`${root}/package.json`, 'utf8')).toBe(before)
  })

  it('refuses what is no later version', () => {
    const { stdout, status } = spawnSync(process.execPath, ['build/release.mjs', '0.0.1', '--dry-run'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stdout).toMatch(/problem +"0\.0\.1" is no version after/)
    expect(status).toBe(1)
  })
})
