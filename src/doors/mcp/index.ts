export { acceptedBy, createHttpAnswer, parseMessage } from './http-answer.js'
export { createSurface, type Surface } from './surface.js'
export { errorResult, maxMessageBytes, type Tool, type ToolArguments } from './tool.js'
export { ToolError, type ToolOptions, toolSchemas } from './tool-options.js'
