interface ResolverOptions {
  readonly basedir: string
  defaultResolver(request: string, options: ResolverOptions): string
}

/**
 * Jest's `resolver` for tests that load this package. `@mswjs/data` requires MSW as CommonJS, which Jest cannot
 * load, because a part of it is an ES module only. It needs nothing of it here, so it gets this file instead.
 */
function resolve(request: string, options: ResolverOptions): string {
  const unneeded = request === 'msw' && /[\\/]@mswjs[\\/]data[\\/]/.test(options.basedir)
  return unneeded ? __filename : options.defaultResolver(request, options)
}

export = resolve
