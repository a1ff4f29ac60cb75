export { compileScenario } from './compile.js'
export { compileFurther, type FurtherParts, type Ground } from './further.js'
