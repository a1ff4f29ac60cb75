import { connect, createServer } from 'node:net'

// Forwards connections to a port of this machine and delays each byte, like a network between two machines. Arguments: the
// port and the delay in milliseconds.
const [target, delay] = process.argv.slice(2).map(Number)

function pass(from, to) {
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), delay))
  from.on('close', () => setTimeout(() => to.destroy(), delay))
  from.on('error', () => undefined)
}

const link = createServer((socket) => {
  const further = connect({ port: target, host: '127.0.0.1', noDelay: true })
  socket.setNoDelay()
  pass(socket, further)
  pass(further, socket)
})
link.listen(0, '127.0.0.1', () => process.send({ port: link.address().port }))
process.on('disconnect', () => process.exit())
