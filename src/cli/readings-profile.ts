import type { Command } from 'commander'

/** Adds the command that writes out a profile. */
export function addReadingsProfile(readings: Command): void {
  readings
    .command('profile')
    .summary('write out all readings of a profile or a file, to be kept')
    .description(
      'Writes out the complete readings of a profile, or of a file with what it extends, as a file that ' +
        '--readings takes.',
    )
    .argument('<name|file>', 'default, worst-case, seed:<n>, or a file of readings')
    .option('--json', 'as JSON instead of YAML')
    .action(profile)
}

async function profile(wish: string, flags: { readonly json?: true }): Promise<void> {
  // Loaded here, so that help and wrong flags are answered without it.
  const { readingsLayers } = await import('../scenario/index.js')
  const { formatReadingsFile } = await import('../scenario/source/readings-text.js')
  const { chooseReadings } = await import('../world/index.js')
  const { readings } = chooseReadings(await readingsLayers({ from: 'profile', input: wish }))
  const text = flags.json
    ? `${JSON.stringify({ readings })}\n`
    : `${comment(wish)}${formatReadingsFile(readings)}`
  process.stdout.write(text)
}

function comment(wish: string): string {
  const name = wish.replace(/\s/g, ' ')
  return `# The readings of ${name}, complete. agent-mailbox-sim --readings <this file> serves with them.\n`
}
