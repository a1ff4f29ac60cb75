/**
 * Receives webhook deliveries, in whatever shape they come, and says once of each event that there is news. It answers at
 * once: the work is done afterwards. As a function from request to response, it fits any server, and a test without one.
 */
export function createReceiver({ token, onNews }) {
  const known = new Set()

  return async function receive(request) {
    const { headers } = request
    const given = headers.get('authorization')?.replace('Bearer ', '') ?? headers.get('x-auth-token')
    // The token may not come at all, so nothing but ids is taken from what is said.
    if (given !== null && given !== token) return new Response(null, { status: 401 })
    const body = await request.json()
    const data = body.data ?? body
    const event = `${body.event ?? body.type} ${data.message_id ?? data.message.id}`
    // What has failed is sent again, and what has not may be.
    if (!known.has(event)) onNews()
    known.add(event)
    return new Response(null, { status: 200 })
  }
}
