export { type FoundSecret, recognizableLength, SecretFinder } from './secret-finder.js'
export { decompressed, decompressedIn, PieceFinder } from './secret-pieces.js'
export { StoryMasker } from './story-masker.js'
