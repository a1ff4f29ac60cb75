/** What can be measured, in the order in which it is; each is loaded where it runs. */
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
    what: 'from a spawned server to its first answer, against the same',
    load: async () => (await import('./cold-start.mjs')).coldStart,
  },
  import: {
    what: 'importing the library and making a simulator, in a process of its own',
    load: async () => (await import('./import.mjs')).importing,
  },
  growth: {
    what: 'loading, memory, lists, reset and fork at a thousand to a million messages',
    load: async () => (await import('./growth.mjs')).growth,
  },
  observing: {
    what: 'what the journal and reliances cost',
    load: async () => (await import('./observing.mjs')).observing,
  },
  extensions: {
    what: 'what extensions cost the documented operations',
    load: async () => (await import('./extensions.mjs')).extensions,
  },
  plans: {
    what: 'stories that fuzz changes, in process, against the story itself',
    load: async () => (await import('./plans.mjs')).plans,
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
    what: 'servers that share a store, and what they cost it',
    load: async () => (await import('./nodes.mjs')).nodes,
  },
  deliveries: {
    what: 'ten thousand events to twenty receivers that fail now and then',
    load: async () => (await import('./deliveries.mjs')).deliveries,
  },
}
