import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

// Prepares a release: npm run release -- <version|major|minor|patch> [--repository URL] [--dry-run]. It runs the checks,
// writes the version, the changelog and the public URLs of the package, commits and tags. The CI job of the tag publishes
// it, because npm can only attest there where the package was built (provenance).

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { repository: { type: 'string' }, 'dry-run': { type: 'boolean' } },
})
const wanted = positionals[0] ?? 'patch'
const [mostPacked, mostUnpacked] = [2_500_000, 9_000_000]

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const version = nextVersion(manifest.version, wanted)
const notes = /^## Unreleased\n(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog)?.[1]?.trim() ?? ''
const packed = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']))
const { size, unpackedSize, entryCount } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0]

const given = flags.repository ?? run('git', ['config', '--default', '', '--get', 'remote.origin.url'])
const site = siteOf(given)
const problems = [
  ...(version === undefined
    ? [`"${wanted}" is no version after ${manifest.version}, nor major, minor or patch.`]
    : []),
  ...(run('git', ['status', '--porcelain']) === ''
    ? []
    : ['The work tree has changes that are not committed.']),
  ...(version && run('git', ['tag', '--list', `v${version}`]) !== '' ? [`The tag v${version} exists.`] : []),
  ...(notes === '' ? ['CHANGELOG.md has nothing under "Unreleased".'] : []),
  ...(site
    ? []
    : [
        `${given === '' ? 'The git remote "origin" does not exist' : `"${given}" is no public address`}: give the one that ` +
          'package.json shall name by --repository https://HOST/OWNER/NAME.',
      ]),
  ...(size > mostPacked ? [`The tarball has ${size} bytes, more than ${mostPacked}.`] : []),
  ...(unpackedSize > mostUnpacked
    ? [`Unpacked it has ${unpackedSize} bytes, more than ${mostUnpacked}.`]
    : []),
]

const today = new Date().toISOString().slice(0, 10)
print(`version    ${manifest.version} → ${version}`)
print(`changelog  ${notes.split('\n').filter((line) => line.startsWith('- ')).length} points, dated ${today}`)
print(`package    ${size} bytes packed, ${unpackedSize} unpacked, ${entryCount} files`)
if (site)
  print(`repository ${site}, homepage ${addressesOf(site).homepage}, bugs ${addressesOf(site).bugs.url}`)
print(`commit     Release ${version}, tag v${version}`)
print(`publish    npm publish --provenance --access public, by the CI of the tag`)
for (const problem of problems) print(`problem    ${problem}`)
if (problems.length > 0) process.exitCode = 1
else if (flags['dry-run']) print('Nothing was written: this was a dry run.')
else release()

function release() {
  const mcpName = mcpNameOf(site)
  writeJson('package.json', { ...manifest, ...addressesOf(site), mcpName, version })
  writeJson('server.json', mcpEntryOf(mcpName))
  run('git', ['add', 'server.json'])
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  lock.version = version
  lock.packages[''].version = version
  writeJson('package-lock.json', lock)
  edit('src/base/package.ts', (text) => text.replace(/^(export const version = ).*/m, `$1'${version}'`))
  edit('python/pyproject.toml', (text) => {
    const [project] = text.replace(/^version = .*/m, `version = "${version}"`).split('\n[project.urls]')
    return `${project}\n[project.urls]\nRepository = "${site}"\n`
  })
  // The package has no pictures: those who read it without the repository see them there.
  edit('README.md', (text) => text.replaceAll('](docs/pictures/', `](${site}/raw/HEAD/docs/pictures/`))
  edit('docs/inspector.md', (text) => text.replaceAll('](pictures/', `](${site}/raw/HEAD/docs/pictures/`))
  const heading = `## Unreleased\n\n## ${version} (${today})\n`
  edit('CHANGELOG.md', (text) => text.replace('## Unreleased\n', heading))
  run('git', ['commit', '--quiet', '--all', '--message', `Release ${version}`])
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Release ${version}\n\n${notes}`])
  print(`Next: git push --follow-tags`)
}

/** Returns the web page of a repository from any form of its git URL; undefined for a folder. */
function siteOf(address) {
  const site = address
    .replace(/^git\+/, '')
    .replace(/^(?:ssh:\/\/)?git@([^:/]+)[:/]/, 'https://$1/')
    .replace(/\/?(?:\.git)?$/, '')
  return /^https:\/\/[^/\s"]+\/[^\s"]+$/.test(site) ? site : undefined
}

function addressesOf(site) {
  return {
    homepage: `${site}#readme`,
    bugs: { url: `${site}/issues` },
    repository: { type: 'git', url: `git+${site}.git` },
  }
}

/** Returns the name in the registry of MCP: the owner's part of GitHub, or else the host backwards. */
function mcpNameOf(site) {
  const { host, pathname } = new URL(site)
  const space =
    host === 'github.com' ? `io.github.${pathname.split('/')[1]}` : host.split('.').toReversed().join('.')
  return `${space}/${manifest.name}`
}

/** Returns the entry of the package in the registry of MCP, which checks that the package has the same `mcpName`. */
function mcpEntryOf(name) {
  const source = new URL(site).host.split('.').at(-2)
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name,
    title: 'Agent mailbox simulator',
    description: 'A simulated mailbox to test agents that read and answer email, offline and repeatable.',
    version,
    repository: { url: site, source },
    packages: [
      {
        registryType: 'npm',
        identifier: manifest.name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp' },
          {
            type: 'positional',
            valueHint: 'scenario',
            description: 'A shipped scenario or the path of a file.',
            default: 'support-desk',
          },
        ],
      },
    ],
  }
}

function edit(path, change) {
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

function nextVersion(now, step) {
  const [major, minor, patch] = now.split('.').map(Number)
  const steps = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  }
  if (Object.hasOwn(steps, step)) return steps[step]
  const isLater = /^\d+\.\d+\.\d+$/.test(step) && step.localeCompare(now, 'en', { numeric: true }) > 0
  return isLater ? step : undefined
}

function run(command, words) {
  return execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}

function print(line) {
  process.stdout.write(`${line}\n`)
}
