import pLimit from 'p-limit'

/**
 * Runs a task for every item with limited concurrency, and returns the results in the order of the items. If
 * a task fails, the others are awaited before its error is thrown; after an interruption, each of them fails
 * immediately.
 */
export async function mapLimited<Item, Result>(
  limit: number,
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limited = pLimit(limit)
  const results = await Promise.allSettled(items.map((item) => limited(task, item)))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
  return results.map((result) => (result as PromiseFulfilledResult<Result>).value)
}
