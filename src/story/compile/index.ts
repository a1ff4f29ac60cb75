export { compileScenario } from './compile.js'
export { compileFurther, type FurtherParts, type Ground, type WrittenParts } from './further.js'
