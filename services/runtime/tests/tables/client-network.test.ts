import { expect, test } from 'vitest'
import { toClientNetwork } from '../../client-network.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['::1', '::/64'],
  ['', ''],
])('%s belongs to the client network %s', (ip, network) => {
  expect(toClientNetwork(ip)).toBe(network)
})
