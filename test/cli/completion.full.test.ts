import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { programInProcess } from './in-process.js'

/** What bash would complete a line to, without files. */
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
    expect(await completed('re')).toEqual(['receive', 'readings', 'replay', 'refund-request'].sort(byPlace))
    expect(await completed('replay', 'ref')).toEqual(['refund-request'])
    expect(await completed('explore', '--pa')).toEqual(['--pairs'])
    expect(await completed('--por')).toEqual(['--port'])
    expect(await completed('scenarios', 'ch')).toEqual(['check'])
  })

  it('has scripts for zsh and fish, and names the shells there are', async () => {
    expect((await programInProcess()('completion', 'zsh').outcome).stdout).toMatch(/bashcompinit\n_agent/)
    const fish = (await programInProcess()('completion', 'fish').outcome).stdout
    expect(fish).toMatch(/^complete -c agent-mailbox-sim -n '__fish_seen_subcommand_from fuzz' -l runs$/m)
    const { status, stderr } = await programInProcess()('completion', 'tcsh').outcome
    expect(status).toBe(2)
    expect(stderr).toContain('Allowed choices are bash, zsh, fish')
  })
})

const places = ['scenarios', 'readings', 'receive', 'trigger', 'replay', 'refund-request']
const byPlace = (one: string, other: string) => places.indexOf(one) - places.indexOf(other)
