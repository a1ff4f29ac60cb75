/**
 * Leaves elements out as long as what remains is enough: half of them at first, and one at a time in the end. `tryWithout`
 * decides about what remains, and `current` returns the elements that are left after that.
 */
export async function leaveOut<Element>(
  current: () => readonly Element[],
  tryWithout: (remaining: readonly Element[], before: readonly Element[]) => Promise<boolean>,
): Promise<void> {
  for (let size = Math.ceil(current().length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let index = 0; index < current().length; ) {
      const before = current()
      if (!(await tryWithout(before.toSpliced(index, size), before))) index += size
    }
  }
}
