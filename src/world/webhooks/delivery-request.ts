/** A delivery on its way to a receiver in this process, which can be told from every other request. */
export class DeliveryRequest extends Request {
  readonly #isDelivery = true

  /** Whether a request is one; `instanceof` would not do, since test environments such as jsdom answer it as they like. */
  static is(request: Request): boolean {
    return #isDelivery in request
  }
}
