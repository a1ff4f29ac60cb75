// This file is as deep in the source folder as its chunk is in the build, so the relative URLs hold for both.

/** Returns the folder of this package, with the files that ship with it; fails in a browser, which has none. */
export const packageRoot = (): URL => new URL('../../', import.meta.url)

/** Returns the folder of the build, with its data files; when the sources are run directly, the folder of the sources. */
export const builtFolder = (): URL => new URL('../', import.meta.url)

/** The version in package.json, repeated here because browsers cannot read that file. */
export const version = '0.1.0'

/** The command that runs the program in a project that has installed the package, for hints. */
export const invocation = 'npx agent-mailbox-sim'
