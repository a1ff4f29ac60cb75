// This file stands as deep in the source as its chunk does in the build.

/** Where this package is: what ships with it lies below. */
export const packageRoot: URL = new URL('../../', import.meta.url)

/** Where the build is, with what it made besides code; the folder of the sources, where they run themselves. */
export const builtFolder: URL = new URL('../', import.meta.url)
