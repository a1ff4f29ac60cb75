/**
 * Receives webhook deliveries in any form, and calls `onNews` with the message's id once for each event. It answers at once;
 * the work is done afterwards. As a function from request to response, it works in any server, and in a test without one.
 */
export function createReceiver({ token, onNews }) {
  const known = new Set()

  return async function receive(request) {
    const { headers } = request
    const sent = headers.get('authorization')?.replace('Bearer ', '') ?? headers.get('x-auth-token')
    // A delivery may have no token, so only ids are used from its body.
    if (sent !== null && sent !== token) return new Response(null, { status: 401 })
    const body = await request.json()
    const data = body.data ?? body
    const messageId = data.message_id ?? data.message.id
    const event = `${body.event ?? body.type} ${messageId}`
    // A delivery that failed is sent again, and one that succeeded may be, too.
    if (!known.has(event)) onNews(messageId)
    known.add(event)
    return new Response(null, { status: 200 })
  }
}
