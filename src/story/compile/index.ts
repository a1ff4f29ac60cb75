export { compileScenario } from './compile.js'
