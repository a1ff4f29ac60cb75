import { expect, it } from 'vitest'
import { formatSkillDocument } from '../build/skill-document.js'
import { textOf } from './support/documents.js'

// To update it: npx vitest run test/skill-document.test.ts -u
it('skills/agent-mailbox-sim/SKILL.md equals AGENTS.md, as a skill', async () => {
  const page = formatSkillDocument(textOf('AGENTS.md'))
  await expect(page).toMatchFileSnapshot('../skills/agent-mailbox-sim/SKILL.md')
  const [, name = '', about = ''] = /^---\nname: (.+)\ndescription: (.+)\n---\n\n# /.exec(page) ?? []
  // The limits of the format of skills.
  expect(name).toMatch(/^[a-z0-9-]{1,64}$/)
  expect(about.length).toBeLessThanOrEqual(1024)
})
