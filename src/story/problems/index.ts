export { checkFormat, formatProblems, salvageDocument } from './format.js'
export {
  type FilePlace,
  type Locate,
  maxFound,
  noIdentity,
  noSuch,
  type ProblemAt,
  refusal,
  ScenarioError,
  type ScenarioProblem,
  scenarioError,
  withFurther,
} from './problem.js'
export { readYaml } from './yaml.js'
