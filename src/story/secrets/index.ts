export {
  type FoundSecret,
  lettersIn,
  recognizableLength,
  SecretFinder,
  unmistakable,
} from './secret-finder.js'
export { decompressed, decompressedIn, PieceFinder } from './secret-pieces.js'
