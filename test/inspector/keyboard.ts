import type { Locator, Page } from 'playwright-core'

/** Uses the controls of a page by keyboard only: what it cannot reach by Tab, it cannot use. */
export class Keyboard {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Presses a button, follows a link, opens details. */
  async activate(control: Locator): Promise<void> {
    await this.#reach(control)
    await this.#press('Enter')
  }

  /** Replaces the text of a field. */
  async enter(field: Locator, text: string): Promise<void> {
    await this.#reach(field)
    await this.#press('ControlOrMeta+a')
    await this.#press('Delete')
    await this.#page.keyboard.type(text)
  }

  /** Chooses a value of a `select`. */
  async choose(select: Locator, value: string): Promise<void> {
    await this.#reach(select)
    await this.#press('Home')
    await this.#pressUntil('ArrowDown', async () => (await select.inputValue()) === value)
  }

  /** Goes to a control with Tab, from the one before it. */
  async #reach(control: Locator): Promise<void> {
    await control.waitFor()
    for (let attempts = 0; attempts < 20; attempts++) {
      await control.focus()
      await this.#press('Shift+Tab')
      await this.#press('Tab')
      if (await control.evaluate((element) => element.matches(':focus'))) return
    }
    throw new Error(`Tab does not lead to ${control}.`)
  }

  async #pressUntil(key: string, done: () => Promise<boolean>): Promise<void> {
    for (let presses = 0; presses < 400; presses++) {
      if (await done()) return
      await this.#press(key)
    }
    throw new Error(`400 presses of ${key} lead nowhere.`)
  }

  #press(key: string): Promise<void> {
    return this.#page.keyboard.press(key)
  }
}
