// This file stands as deep in the source as its chunk does in the build.

/** Where this package is: what ships with it lies below. */
export const packageRoot: URL = new URL('../../', import.meta.url)

/** Where the build is, with what it made besides code; the folder of the sources, where they run themselves. */
export const builtFolder: URL = new URL('../', import.meta.url)

/** The version of this package, as package.json has it: no file can be read where there may be no files. */
export const version = '0.1.0'

/** How the program is run in a project that has installed the package, for hints. */
export const invocation = 'npx agent-mailbox-sim'
