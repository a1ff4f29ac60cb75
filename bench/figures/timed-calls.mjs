import { Bench } from 'tinybench'

/**
 * The median time of a call in microseconds, of so many calls that tinybench makes one after another. What is done
 * `before` each of them is not timed. Warming up is the first rounds' business (rounds.mjs).
 */
export async function timeOf(call, { calls, before }) {
  const bench = new Bench({ iterations: calls, time: 0, warmup: false, throws: true })
  bench.add('call', call, before && { beforeEach: before })
  const [task] = await bench.run()
  return task.result.latency.p50 * 1000
}
