import type { Faker } from '@faker-js/faker'
import { createRandom } from '../../world/index.js'

/** What filling in one template would fail with; undefined where it gives a text. */
export type TrialFill = (template: string) => string | undefined

/** Fills templates in with an English Faker of its own, of which nothing comes into the world. */
export function filledBy(shared: Faker): TrialFill {
  const random = createRandom(0, 'trial')
  const randomizer = { next: () => random.next(), seed: () => undefined }
  const faker = new (shared.constructor as typeof Faker)({ locale: shared.rawDefinitions, randomizer })
  faker.setDefaultRefDate('2026-01-05T09:00:00.000Z')
  const told = new Map<string, string | undefined>()
  return (template) => {
    if (!told.has(template)) told.set(template, problemOf(faker, template))
    return told.get(template)
  }
}

function problemOf(faker: Faker, template: string): string | undefined {
  try {
    const text = faker.helpers.fake(template)
    const isText = !/^(NaN|undefined|null|Invalid Date|\[object \w+\])$/.test(text)
    return isText ? undefined : 'gives no text with these arguments'
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    return `cannot be filled in: ${reason.replace(/\.$/, '')}`
  }
}
