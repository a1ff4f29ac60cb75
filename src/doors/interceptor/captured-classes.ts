/**
 * Keeps the classes usable that MSW puts in place of `Request` and `Response` while it listens: clients such as axios store them, and
 * with headers they would throw once its server is closed. MSW removes these as it does its own.
 */
export function keepCapturedClasses(): void {
  for (const name of ['Request', 'Response'] as const) {
    const recording: typeof Request | typeof Response = globalThis[name]
    const platform = recording?.prototype.constructor
    // Jest's jsdom may have none, and a test may have its own.
    if (!recording || platform === recording) continue
    const value = new Proxy(recording, {
      construct(target, given, newTarget) {
        const isRecording = Headers.prototype.constructor !== Headers
        return Reflect.construct(isRecording ? target : platform, given, newTarget)
      },
    })
    Object.defineProperty(globalThis, name, { value, enumerable: true, writable: true, configurable: true })
  }
}
