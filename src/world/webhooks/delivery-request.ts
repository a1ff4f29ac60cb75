const mark = Symbol('delivery')

/** A delivery on its way to a receiver in this process, which can be told from every other request. */
export function createDeliveryRequest(url: string, init: RequestInit): Request {
  return Object.defineProperty(new Request(url, init), mark, { value: true })
}

/** Whether a request is one of those. */
export function isDeliveryRequest(request: Request): boolean {
  return mark in request
}
