export default {
  testMatch: ['**/jest/*.test.mjs'],
  // Tests and the simulator are ES modules, which Jest runs as they are.
  transform: {},
}
