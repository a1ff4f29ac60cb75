// Imports a module and creates a simulator of a scenario. Prints one line of JSON: the milliseconds that Node took to
// reach this file, the import, and the simulator. Arguments: the module and, for a simulator, a scenario as JSON.
const began = performance.now()
const [module, scenario] = process.argv.slice(2)
const { createSimulator } = await import(module)
const imported = performance.now()
const times = { node: began, import: imported - began }
if (scenario) {
  await createSimulator({ scenario: JSON.parse(scenario) })
  times.create = performance.now() - imported
}
console.log(JSON.stringify(times))
