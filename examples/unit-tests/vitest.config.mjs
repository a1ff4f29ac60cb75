// Vitest would otherwise find the configuration of a folder above.
export default {}
