import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { built } from './cli/built-program.js'
import { sharedFolder } from './support/temporary-folder.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const site = 'https://code.example/sims/mailbox'
const folder = sharedFolder()

function release(cwd: string, ...words: readonly string[]) {
  return spawnSync(process.execPath, ['build/release.mjs', ...words], { cwd, encoding: 'utf8' })
}

describe('npm run release -- --dry-run', () => {
  it('describes a release within the limits of size and writes nothing', () => {
    const before = readFileSync(`${root}/package.json`, 'utf8')
    const { stdout } = release(root, '99.0.0', '--repository', `${site}.git`, '--dry-run')
    const [packed, unpacked] = (/^package +(\d+) bytes packed, (\d+)/m.exec(stdout) ?? [])
      .slice(1)
      .map(Number)
    expect(packed).toBeLessThanOrEqual(2_500_000)
    expect(unpacked).toBeLessThanOrEqual(9_000_000)
    expect(stdout).toMatch(/^version +\S+ → 99\.0\.0\nchangelog +[1-9]\d* points/)
    expect(stdout).toContain(`\nrepository ${site}, homepage ${site}#readme, bugs ${site}/issues\n`)
    expect(stdout).toMatch(/^commit +Release 99\.0\.0, tag v99\.0\.0\npublish +npm publish --provenance/m)
    expect(readFileSync(`${root}/package.json`, 'utf8')).toBe(before)
  })

  it('refuses a version that is not later', () => {
    const { stdout, status } = release(root, '0.0.1', '--dry-run')
    expect(stdout).toMatch(/problem +"0\.0\.1" is no version after/)
    expect(status).toBe(1)
  })
})

describe('the package', () => {
  const read = (file: string) => readFileSync(`${built.folder}/dist/${file}`, 'utf8')

  it('lists each package that it includes, for scanners, as its notices do for people', () => {
    const { bomFormat, components } = JSON.parse(read('bom.cdx.json'))
    expect(bomFormat).toBe('CycloneDX')
    const notices = `${read('third-party-notices.txt')}\n\n${read('inspector/third-party-notices.txt')}`
    const noted = [
      ...notices.matchAll(/(?:^|\n-{80}\n\n|\n\n)((?:@[\w-]+\/)?[\w.-]+ \d+\.\d+\.\d+\S*)\n\n/g),
    ].map(([, one]) => one)
    const listed = components.map(({ name, version }: Record<string, string>) => `${name} ${version}`)
    expect([...new Set(noted)].toSorted()).toEqual(listed.toSorted())
    expect(listed.length).toBeGreaterThan(100)
  })
})

describe('npm run release', () => {
  const git = (...words: readonly string[]): string =>
    execFileSync('git', words, { cwd: folder, encoding: 'utf8' })
  const packageOf = (text: string) => JSON.parse(text) as Record<string, unknown>
  const files = [
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
    'README.md',
    'docs/inspector.md',
    'build/release.mjs',
    'python/pyproject.toml',
    'src/base/package.ts',
  ]
  for (const file of files) cpSync(join(root, file), join(folder, file))
  git('init', '--quiet')
  git('config', 'user.name', 'Releaser')
  git('config', 'user.email', 'releaser@code.example')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Begin')

  it('refuses a missing public address of the repository and names the flag', () => {
    const { stdout, status } = release(folder, '99.0.0')
    expect(stdout).toContain(
      'problem    The git remote "origin" does not exist: give the one that package.json shall name by --repository https://HOST/OWNER/NAME.\n',
    )
    expect(status).toBe(1)
    git('remote', 'add', 'origin', '/srv/git/mailbox')
    expect(release(folder, '99.0.0').stdout).toContain('problem    "/srv/git/mailbox" is no public address: ')
    expect(git('status', '--porcelain')).toBe('')
  })

  it('takes the address from the remote, writes it with the version into the package, and tags', () => {
    git('remote', 'set-url', 'origin', 'git@code.example:sims/mailbox.git')
    const { stdout, status } = release(folder, '99.0.0')
    expect({ stdout, status }).toMatchObject({ status: 0 })
    expect(packageOf(git('show', 'v99.0.0:package.json'))).toMatchObject({
      name: 'agent-mailbox-sim',
      version: '99.0.0',
      repository: { type: 'git', url: `git+${site}.git` },
      homepage: `${site}#readme`,
      bugs: { url: `${site}/issues` },
      mcpName: 'example.code/agent-mailbox-sim',
    })
    const entry = JSON.parse(git('show', 'v99.0.0:server.json'))
    expect(entry).toMatchObject({
      name: 'example.code/agent-mailbox-sim',
      version: '99.0.0',
      repository: { url: site },
      packages: [{ registryType: 'npm', identifier: 'agent-mailbox-sim', version: '99.0.0' }],
    })
    // The package has no pictures.
    for (const page of ['README.md', 'docs/inspector.md']) {
      const pictures = [...git('show', `v99.0.0:${page}`).matchAll(/\]\((\S+\.png)\)/g)].map(([, one]) => one)
      expect(pictures.length, page).toBeGreaterThan(0)
      for (const one of pictures) expect(one).toMatch(`${site}/raw/HEAD/docs/pictures/`)
    }
    // The limit of the registry.
    expect(entry.description.length).toBeLessThanOrEqual(100)
    expect(packageOf(git('show', 'v99.0.0:package-lock.json'))).toMatchObject({ version: '99.0.0' })
    const python = git('show', 'v99.0.0:python/pyproject.toml')
    expect(python).toMatch(/^version = "99\.0\.0"$/m)
    expect(python).toContain(`\n[project.urls]\nRepository = "${site}"\n`)
    expect(git('show', 'v99.0.0:src/base/package.ts')).toMatch(/^export const version = '99\.0\.0'$/m)
    expect(git('show', 'v99.0.0:CHANGELOG.md')).toMatch(/^## 99\.0\.0 \(\d{4}-\d\d-\d\d\)$/m)
    expect(git('status', '--porcelain')).toBe('')
  })
})
