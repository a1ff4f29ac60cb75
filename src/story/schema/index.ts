export { kindFilePattern, type ScenarioGenerate, type ScenarioIdentity } from './identity.js'
export {
  authenticationOfMail,
  formsOfMail,
  mailFields,
  type ScenarioAttachment,
  type ScenarioMessage,
  type ScenarioThread,
} from './mail.js'
export { field, mailText, matcher, parameter, slashed } from './matchers.js'
export {
  furtherOrganization,
  organization,
  ownedFields,
  type ScenarioOrganization,
  type ScenarioWebhook,
} from './organization.js'
export {
  addressPattern,
  assumptionChoicesSchema,
  delay,
  duration,
  fileMark,
  handle,
  having,
  instantOf,
  isoInstant,
  key,
  locale,
  moment,
  oneOrMore,
  path,
  rule,
  scenarioAssumptionsSchema,
  template,
} from './values.js'
