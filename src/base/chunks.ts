/** A list in chunks. */
export type Chunks<One> = readonly (readonly One[])[]

/** How much of a list is in a chunk. */
const chunkLength = 512

/**
 * Returns a list in chunks, which are those of a former list wherever both have the same: lists that hardly differ share
 * most of their memory.
 */
export function inChunks<One>(list: readonly One[], former: Chunks<One> = []): Chunks<One> {
  return Array.from({ length: Math.ceil(list.length / chunkLength) }, (_, index) => {
    const begin = index * chunkLength
    const length = Math.min(chunkLength, list.length - begin)
    const known = former[index]
    if (known?.length === length && known.every((one, place) => one === list[begin + place])) return known
    return list.slice(begin, begin + length)
  })
}

/** Returns a list that is in chunks as a whole. */
export function joinChunks<One>(chunks: Chunks<One>): One[] {
  return ([] as One[]).concat(...chunks)
}
