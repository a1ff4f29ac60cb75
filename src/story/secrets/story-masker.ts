import { once } from '../../base/once.js'
import type { Masker } from '../../service/record/masker.js'
import { SecretFinder } from './secret-finder.js'

/** Masks in what is reported of a play both the keys and tokens of its world and the secrets of its story. */
export class StoryMasker {
  /** Masks only keys and tokens: in what is shown to those who may know the story. */
  readonly keys: Masker
  readonly #secrets: () => SecretFinder

  constructor(keys: Masker, secrets: SecretFinder | Readonly<Record<string, string>>) {
    this.keys = keys
    // Most who mask keys never need it.
    this.#secrets = once(() => (secrets instanceof SecretFinder ? secrets : new SecretFinder(secrets)))
  }

  /** Masks only the secrets of the story: in what is already shown without keys, such as exchanges. */
  get secrets(): SecretFinder {
    return this.#secrets()
  }

  /** Returns a masker that also knows the secrets in the arguments and the environment of a command. */
  forCommand(...command: Parameters<Masker['forCommand']>): StoryMasker {
    return new StoryMasker(this.keys.forCommand(...command), this.secrets)
  }

  text(text: string): string {
    return this.secrets.masked(this.keys.text(text))
  }

  /** Masks only what is known to be secret: in words of the story and of mail, where a name says little about its value. */
  known(text: string): string {
    return this.secrets.masked(this.keys.known(text))
  }

  /** Masks any JSON value, including the names in it. */
  content<Content>(content: Content): Content {
    return this.secrets.maskedIn(this.keys.content(content) as Content)
  }

  arguments(args: readonly string[]): string[] {
    return this.secrets.maskedIn(this.keys.arguments(args))
  }
}
