// Thinks in a worker thread.
import { once } from 'node:events'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { desk, pause, think } from './desk.mjs'

if (isMainThread) {
  const worker = new Worker(import.meta.filename)
  const react = desk(async () => {
    worker.postMessage('think')
    await once(worker, 'message')
  })
  for (;;) {
    await react()
    await pause(3)
  }
} else {
  parentPort.on('message', async () => {
    await think()
    parentPort.postMessage('done')
  })
}
