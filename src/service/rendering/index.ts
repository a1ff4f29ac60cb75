export { expectedAuthentication, statedAuthentication } from './authentication.js'
export {
  type AddressedMail,
  addressesOf,
  headerFieldsOf,
  type MessageAddresses,
  messageIdOf,
  recipientsOf,
  withFields,
} from './header-fields.js'
export { rawMessage } from './raw-message.js'
export { type Render, RenderCache, type RenderContext, Renderer } from './renderer.js'
export {
  type FieldsContext,
  renderIdentity,
  renderMessage,
  renderThread,
  renderWebhook,
  shownDirection,
  timestamp,
} from './resources.js'
