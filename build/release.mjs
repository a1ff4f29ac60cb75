import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

// Prepares a release: npm run release -- <version|major|minor|patch> [--dry-run]. It checks, writes version and changelog,
// commits and tags; the tag's CI publishes, since only there npm can attest where the package was built (provenance).

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const args = process.argv.slice(2)
const dryRun = args.includes('--dry-run')
const wanted = args.find((arg) => !arg.startsWith('--')) ?? 'patch'
const [mostPacked, mostUnpacked] = [2_000_000, 9_000_000]

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const version = nextVersion(manifest.version, wanted)
const notes = /^## Unreleased\n(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog)?.[1]?.trim() ?? ''
const packed = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']))
const { size, unpackedSize, entryCount } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0]

const missing = ['repository', 'homepage', 'bugs'].filter((field) => !manifest[field])
const problems = [
  ...(version === undefined
    ? [`"${wanted}" is no version after ${manifest.version}, nor major, minor or patch.`]
    : []),
  ...(run('git', ['status', '--porcelain']) === ''
    ? []
    : ['The work tree has changes that are not committed.']),
  ...(version && run('git', ['tag', '--list', `v${version}`]) !== '' ? [`The tag v${version} exists.`] : []),
  ...(notes === '' ? ['CHANGELOG.md has nothing under "Unreleased".'] : []),
  ...(missing.length === 0
    ? []
    : [`package.json has no ${missing.join(', ')}: provenance needs the repository.`]),
  ...(size > mostPacked ? [`The tarball has ${size} bytes, more than ${mostPacked}.`] : []),
  ...(unpackedSize > mostUnpacked
    ? [`Unpacked it has ${unpackedSize} bytes, more than ${mostUnpacked}.`]
    : []),
]

const today = new Date().toISOString().slice(0, 10)
print(`version    ${manifest.version} → ${version}`)
print(`changelog  ${notes.split('\n').filter((line) => line.startsWith('- ')).length} points, dated ${today}`)
print(`package    ${size} bytes packed, ${unpackedSize} unpacked, ${entryCount} files`)
print(`commit     Release ${version}, tag v${version}`)
print(`publish    npm publish --provenance --access public, by the CI of the tag`)
for (const problem of problems) print(`problem    ${problem}`)
if (problems.length > 0) process.exitCode = 1
else if (dryRun) print('Nothing was written: this was a dry run.')
else release()

function release() {
  manifest.version = version
  writeFileSync('package.json', `${JSON.stringify(manifest, null, 2)}\n`)
  run('npm', ['install', '--package-lock-only', '--ignore-scripts'])
  const heading = `## Unreleased\n\n## ${version} (${today})\n`
  writeFileSync('CHANGELOG.md', changelog.replace('## Unreleased\n', heading))
  run('git', ['commit', '--quiet', '--all', '--message', `Release ${version}`])
  run('git', ['tag', '--annotate', `v${version}`, '--message', `Release ${version}\n\n${notes}`])
  print(`Next: git push --follow-tags`)
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
