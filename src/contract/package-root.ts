/**
 * Where this package is: what ships with it lies below. This file stands as deep in the source as its chunk does in the
 * build.
 */
export const packageRoot: URL = new URL('../../', import.meta.url)
