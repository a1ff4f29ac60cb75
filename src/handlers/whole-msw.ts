/** Loads MSW as a whole, for CommonJS that requires it next: Node cannot give that what is still being imported. */
export async function loadMsw(): Promise<void> {
  await import('msw')
}
