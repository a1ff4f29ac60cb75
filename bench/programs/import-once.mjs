// Imports something and tells, as one line of JSON, how many milliseconds Node took to come here, the import, and a
// simulator of a scenario; run with a module and, for a simulator, a scenario as JSON.
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
