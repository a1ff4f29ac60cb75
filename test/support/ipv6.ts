import { networkInterfaces } from 'node:os'

/** Whether this machine has the IPv6 loopback address. */
export const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1')
