/**
 * Runs a function that captures stacks it never shows, without their cost: under source maps (Vitest, Jest) a captured stack
 * costs more than a world does.
 */
export function withoutStacks<Value>(run: () => Value): Value {
  const { stackTraceLimit } = Error
  // It stays as it is where Error is frozen.
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return run()
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  }
}
