import { z } from '../../base/schema.js'
import type { CommandOf } from '../../service/world/commands/commands.js'
import { fieldAt } from '../compile/parts.js'
import { handle, template } from '../format/values.js'
import { defineAction } from './action.js'

const changes = z
  .strictObject({
    identity: handle.describe('The agent.'),
    display_name: template.optional().describe('The new display name.'),
    description: template.optional().describe('The new description.'),
  })
  .meta({ id: 'update', title: 'update', description: 'A change of an identity.' })

export const update = defineAction({
  describe: 'An identity changes.',
  schema: changes,
  resolve({ lookups, path }, changes) {
    const owner = lookups.agent(changes.identity, [...path, 'identity'])
    if (owner === undefined || owner === 'unknown') return undefined
    return async (compilation, place) => {
      const own = { ...place, locale: owner.locale }
      const command: CommandOf<'update-identity'> = { type: 'update-identity', identity_id: owner.id }
      for (const field of ['display_name', 'description'] as const) {
        const template = changes[field]
        if (template !== undefined) {
          command[field] = await compilation.texts.fill(template, fieldAt(own, field))
        }
      }
      return { commands: [command] }
    }
  },
})
