export { piecesOf, readPieces } from './bytes.js'
export { type Chunks, inChunks, joinChunks } from './chunks.js'
export { createFolder } from './create-folder.js'
export { explainValue, mistakesIn } from './explain.js'
export { correctedDocument, explainDocument } from './explain-document.js'
export { fileSystem } from './file-system.js'
export { type AuthorsWords, type Form, Format } from './forms.js'
export { readMore } from './help.js'
export { chosenIssues, issuesOf } from './issues.js'
export { encodeJson, escapedJson, isJsonObject, jsonList, parseJson, plainCopy, spacedJson } from './json.js'
export { type JsonBounds, JsonMeasure, JsonReader, JsonReadingError } from './json-reader.js'
export { keyOf, type Mistake, type Path, quoted, textOf } from './mistake.js'
export { once } from './once.js'
export { checkOptions, checkText, defineOptions, type OptionsSchema, option } from './options.js'
export { builtFolder, invocation, packageRoot, version } from './package.js'
export { isError } from './platform.js'
export { directTo } from './proxies.js'
export { droppedKeys, hiddenKeys, z } from './schema.js'
export { spell } from './spelling.js'
export { withoutStacks } from './stack.js'
export {
  choicesOf,
  counted,
  decodePercent,
  didYouMean,
  escapeHtml,
  expectedOneOf,
  formatBytes,
  formatDuration,
  grouped,
  isText,
  lineEnd,
  listOf,
  nearestName,
  shellQuoted,
  shorten,
  truncate,
  wildcard,
} from './text.js'
export { forwardedTrace, readTraceparent, type TraceContext } from './trace-context.js'
