/** The version of this package, as package.json has it: no file can be read where there may be no files. */
export const version = '0.1.0'
