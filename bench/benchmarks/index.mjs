/** All benchmarks in the order in which they run; each is loaded only in its own process. */
export const benchmarks = {
  'in-process': {
    what: 'an answer to fetch through the interceptor, against one bare handler of MSW',
    load: async () => (await import('./in-process.mjs')).inProcess,
  },
  http: {
    what: 'requests a second over HTTP, against json-server, Prism, Mockoon and bare node:http',
    load: async () => (await import('./http.mjs')).http,
  },
  'cold-start': {
    what: 'the time from spawning a server to its first response, against the same programs',
    load: async () => (await import('./cold-start.mjs')).coldStart,
  },
  import: {
    what: 'importing the library and creating a simulator, in a process of its own',
    load: async () => (await import('./import.mjs')).importing,
  },
  growth: {
    what: 'loading, memory, lists, reset and fork at a thousand to a million messages',
    load: async () => (await import('./growth.mjs')).growth,
  },
  observing: {
    what: 'the cost of the journal and of reliances',
    load: async () => (await import('./observing.mjs')).observing,
  },
  extensions: {
    what: 'the cost of extensions for the documented operations',
    load: async () => (await import('./extensions.mjs')).extensions,
  },
  trials: {
    what: 'a hundred trials of a story, two at a time, against as many single replays',
    load: async () => (await import('./trials.mjs')).trials,
  },
  plays: {
    what: "a story in the agent's own time, against the start of its command",
    load: async () => (await import('./plays.mjs')).plays,
  },
  worlds: {
    what: 'ten thousand worlds on one server',
    load: async () => (await import('./worlds.mjs')).worlds,
  },
  state: {
    what: 'changes that are durable before they are answered, on disk and in Valkey, against memory',
    load: async () => (await import('./state.mjs')).state,
  },
  nodes: {
    what: 'servers that share a store, and the load on the store',
    load: async () => (await import('./nodes.mjs')).nodes,
  },
  deliveries: {
    what: 'ten thousand events to twenty receivers that fail now and then',
    load: async () => (await import('./deliveries.mjs')).deliveries,
  },
}
