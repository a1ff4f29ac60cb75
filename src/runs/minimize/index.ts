export { minimize } from './minimize.js'
export { minimizeReport } from './minimize-report.js'
