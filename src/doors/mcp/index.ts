export { createSurface, type Surface } from './surface.js'
export { errorResult, maxMessageBytes, messageBounds, type Tool, type ToolArguments } from './tool.js'
export { ToolError, type ToolOptions, toolSchemas } from './tool-options.js'
