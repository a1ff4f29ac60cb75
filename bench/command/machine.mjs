import { cpus, totalmem } from 'node:os'

/** The machine that figures come from: `{node, cpus, model, memory}`, memory in bytes. */
export function describeMachine() {
  const processors = cpus()
  return {
    node: process.version,
    cpus: processors.length,
    model: processors[0]?.model ?? process.arch,
    memory: totalmem(),
  }
}

/** A machine as a line. */
export function formatMachine({ node, cpus, model, memory }) {
  return `Node ${node}, ${cpus} × ${model}, ${Math.round(memory / 2 ** 30)} GiB`
}
