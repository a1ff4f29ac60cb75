import { formatValue, table } from './table.mjs'

/** The goals of the project, by the name of the figure that is compared; `benchmark` measures it. */
export const bars = {
  'in-process': {
    benchmark: 'in-process',
    what: 'in-process `GET threads` (50 of 1,000): time against a bare `http.get` handler',
    atMost: 0.9,
    unit: '×',
  },
  'http.json-server': {
    benchmark: 'http',
    what: 'HTTP `GET threads` (50 of 100,000), 16 connections: requests a second against json-server',
    atLeast: 2.5,
    unit: '×',
  },
  'http.prism': {
    benchmark: 'http',
    what: 'the same against Prism',
    atLeast: 2.5,
    unit: '×',
  },
  'http.node': {
    benchmark: 'http',
    what: 'the same against a bare node:http server that stringifies the object',
    atLeast: 0.6,
    unit: '×',
  },
  'growth.list': {
    benchmark: 'growth',
    what: 'list p50 at 1,000,000 messages against 1,000, the worst of the lists',
    atMost: 1.2,
    unit: '×',
  },
  'growth.loading': {
    benchmark: 'growth',
    what: 'loading 1,000,000 generated messages: time',
    atMost: 30_000,
    unit: 'ms',
  },
  'growth.memory': {
    benchmark: 'growth',
    what: 'loading 1,000,000 generated messages: peak memory',
    atMost: 1_000_000_000,
    unit: 'B',
  },
  'growth.reset': {
    benchmark: 'growth',
    what: 'reset after ten changes, the slowest of the sizes',
    atMost: 1_000,
    unit: 'µs',
  },
  'growth.reset-apart': {
    benchmark: 'growth',
    what: 'reset at 1,000,000 messages against 1,000',
    atMost: 1.5,
    unit: '×',
  },
  'cold-start.support-desk': {
    benchmark: 'cold-start',
    what: 'cold start, `serve support-desk` to the first 200: time against json-server',
    atMost: 1.3,
    unit: '×',
  },
  'cold-start.own': {
    benchmark: 'cold-start',
    what: "the same for a user's own file with `generate`",
    atMost: 1.3,
    unit: '×',
  },
  import: {
    benchmark: 'import',
    what: '`import` of the library and `createSimulator` of a small scenario',
    atMost: 200,
    unit: 'ms',
  },
  'growth.small': {
    benchmark: 'growth',
    what: 'loading 1,000 generated messages: time',
    atMost: 150,
    unit: 'ms',
  },
  'growth.fork': {
    benchmark: 'growth',
    what: 'fork and drop, the slowest of the sizes',
    atMost: 5_000,
    unit: 'µs',
  },
  observing: {
    benchmark: 'observing',
    what: 'journal and reliances: time against a response without a journal, the worst of four requests',
    atMost: 1.15,
    unit: '×',
  },
  extensions: {
    benchmark: 'extensions',
    what: 'documented operations with extensions: time against without, the worst of four requests',
    atMost: 1.03,
    unit: '×',
  },
  trials: {
    benchmark: 'trials',
    what: '100 trials of a small agent, `--jobs 2`: time against 100 single replays',
    atMost: 0.6,
    unit: '×',
  },
  plays: {
    benchmark: 'plays',
    what: "a play in the agent's own time beyond 1.5 times the start of its command",
    atMost: 500,
    unit: 'ms',
  },
  worlds: {
    benchmark: 'worlds',
    what: 'memory of each of ten thousand worlds, after reads and a write',
    atMost: 200_000,
    unit: 'B',
  },
  'state.disk.writes': {
    benchmark: 'state',
    what: 'PATCH with `--state FOLDER`, 16 clients: requests a second against in memory',
    atLeast: 0.3,
    unit: '×',
  },
  'state.disk.reads': {
    benchmark: 'state',
    what: 'reads with `--state FOLDER`, the same way',
    atLeast: 0.95,
    unit: '×',
  },
  'state.restart': {
    benchmark: 'state',
    what: 'restart with `--state FOLDER` and 10,000 worlds: to the first response',
    atMost: 3_000,
    unit: 'ms',
  },
  'nodes.takeover': {
    benchmark: 'nodes',
    what: 'takeover of a world whose server was killed, with the store up to 5 ms away',
    atMost: 5_000,
    unit: 'ms',
  },
  deliveries: {
    benchmark: 'deliveries',
    what: 'deliveries lost, misrouted or out of order',
    atMost: 0,
    unit: '',
  },
}

/**
 * Compares figures with the bars of some benchmarks: `{name, what, bar, value, least, most, unit, met}`. `value` is null
 * if it was not measured; `met` is then null, and also in a quick run, whose sizes differ from those of the bar.
 */
export function judge(figures, { benchmarks, quick }) {
  return Object.entries(bars)
    .filter(([, { benchmark }]) => benchmarks.includes(benchmark))
    .map(([name, { what, atMost, atLeast, unit }]) => {
      const bar = atMost === undefined ? `≥ ${formatValue(atLeast, unit)}` : `≤ ${formatValue(atMost, unit)}`
      const { median: value = null, least = null, most = null } = figures[name] ?? {}
      const reached = atMost === undefined ? value >= atLeast : value <= atMost
      return { name, what, bar, value, least, most, unit, met: value === null || quick ? null : reached }
    })
}

/** Returns a table of the bars and whether they were met. */
export function tableOfBars(judged) {
  return table(
    ['what', 'bar', 'measured', 'met'],
    judged.map(({ what, bar, value, least, most, unit, met }) => [
      what,
      bar,
      value === null ? 'not measured' : { median: value, least, most, unit },
      met === null ? '–' : met ? 'yes' : '**no**',
    ]),
  )
}
