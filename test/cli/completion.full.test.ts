import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { programInProcess } from './in-process.js'

/** Returns the completions of bash for a line, without files. */
async function completed(...words: string[]): Promise<string[]> {
  const { stdout } = await programInProcess()('completion', 'bash').outcome
  const ask = `COMP_WORDS=(agent-mailbox-sim ${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length}
    compgen() { [ "$1" = -f ] || builtin compgen "$@"; }
    _agent_mailbox_sim; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', `${stdout}\n${ask}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

describe('completion', () => {
  it('completes commands, scenarios and flags in bash', async () => {
    const beginning = ['receive', 'readings', 'replay', 'refund-request']
    expect((await completed('re')).toSorted()).toEqual(beginning.toSorted())
    expect(await completed('replay', 'ref')).toEqual(['refund-request'])
    expect(await completed('explore', '--pa')).toEqual(['--pairs'])
    expect(await completed('--por')).toEqual(['--port'])
    expect(await completed('scenarios', 'ch')).toEqual(['check'])
  })

  it.skipIf(isMissing('zsh'))('completes typed words in zsh', async () => {
    const { stdout } = await programInProcess()('completion', 'zsh').outcome
    const typed = `zmodload zsh/zpty
      zpty -b shell zsh -f -i
      zpty -w shell 'PS1= RPS1= HOME=/tmp; source =(print -r -- "$SCRIPT"); echo RE""ADY'
      zpty -r shell line '*READY*'
      zpty -n -w shell $'agent-mailbox-sim replay refu\t'
      zpty -r shell line '*refund-request*' && print -r completed
      zpty -d shell`
    const options = { encoding: 'utf8', timeout: 30_000, env: { ...process.env, SCRIPT: stdout } } as const
    expect(execFileSync('zsh', ['-f', '-c', typed], options)).toBe('completed\n')
  })

  it.skipIf(isMissing('fish'))('completes in fish', async () => {
    const { stdout } = await programInProcess()('completion', 'fish').outcome
    const ask = (line: string) => `echo (complete -C "agent-mailbox-sim ${line}")`
    const lines = ['replay ref', 'explore --pa', '--por', 'readings sh'].map(ask).join('\n')
    const said = execFileSync('fish', ['--no-config', '-c', `${stdout}\n${lines}`], { encoding: 'utf8' })
    expect(said).toBe('refund-request\n--pairs\n--port\nshow\n')
  })

  it('has scripts for zsh and fish and lists the supported shells', async () => {
    expect((await programInProcess()('completion', 'zsh').outcome).stdout).toMatch(/bashcompinit\n_agent/)
    const fish = (await programInProcess()('completion', 'fish').outcome).stdout
    expect(fish).toMatch(/^complete -c agent-mailbox-sim -n '__fish_seen_subcommand_from fuzz' -l runs$/m)
    const { status, stderr } = await programInProcess()('completion', 'tcsh').outcome
    expect(status).toBe(2)
    expect(stderr).toContain('Allowed choices are bash, zsh, fish')
  })
})

/** True if a machine other than CI lacks this shell. */
function isMissing(shell: string): boolean {
  return !process.env['CI'] && spawnSync(shell, ['--version']).error !== undefined
}
