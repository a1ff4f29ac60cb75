/** Returns the next bytes of a body, at least one, or undefined at its end. Throws what the client sees as an error. */
export type NextBytes = (cancelled: AbortSignal) => Promise<Uint8Array | undefined>

/**
 * Creates the body of a response, whose bytes come from what `start` returns. MSW keeps a clone of every
 * response for listeners, which seldom read it, and according to the standard a cancelled body waits until
 * its clone is cancelled as well (mswjs/interceptors#712): an SDK that discards the body of a 503 before a
 * retry would wait forever. Therefore, a clone of this body starts from the beginning and is independent.
 */
export function streamBody(start: () => NextBytes): ReadableStream<Uint8Array<ArrayBuffer>> {
  let next: NextBytes | undefined
  const cancelled = new AbortController()
  const body = new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      next ??= start()
      const bytes = await next(cancelled.signal)
      if (cancelled.signal.aborted) return
      // Copied, because a stream takes the memory of what it is given.
      if (bytes) return controller.enqueue(bytes.slice())
      controller.close()
      controller.byobRequest?.respond(0)
    },
    cancel: () => cancelled.abort(),
  })
  const teeFromHere = body.tee.bind(body)
  body.tee = () => {
    if (next) return teeFromHere()
    // A stream that was split can no longer be read itself.
    body.getReader()
    return [streamBody(start), streamBody(start)]
  }
  return body
}

/** Creates the body of a response from bytes. */
export function bytesBody(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  return streamBody(() => {
    let rest: Uint8Array | undefined = bytes
    return async () => {
      const all = rest
      rest = undefined
      return all?.length ? all : undefined
    }
  })
}
