/**
 * Does something with every item, so many at a time, the first ones first; gives the results in the order of the
 * items. Once something fails nothing more is begun, and what is under way is waited for.
 */
export async function atATime<Item, Result>(
  most: number,
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const rest = items.entries()
  let failed = false
  const work = async (): Promise<void> => {
    for (const [index, item] of rest) {
      if (failed) return
      try {
        results[index] = await task(item)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, work))
  const broken = workers.find((worker) => worker.status === 'rejected')
  if (broken) throw broken.reason
  return results
}
