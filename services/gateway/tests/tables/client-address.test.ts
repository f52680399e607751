import type { IncomingMessage } from 'node:http'
import { trustedProxies } from '@platen/runtime/fetch/allowed-networks.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { createClientAddress } from '../../client-address.ts'

function read(trusted: string, remoteAddress: string, ...forwarded: string[]) {
  const logged: string[] = []
  const log = createLogger('test', 'info', { write: (line: string) => void logged.push(JSON.parse(line).msg) })
  const getAddress = createClientAddress(trustedProxies.parse(trusted), log)
  const headersDistinct = forwarded.length > 0 ? { 'x-forwarded-for': forwarded } : {}
  const request = { socket: { remoteAddress }, headersDistinct } as unknown as IncomingMessage
  return { addresses: [getAddress(request), getAddress(request)], logged }
}

test.each<[string, string, string, string[], string]>([
  ['a client without a proxy', '10.0.0.0/8', '192.0.2.1', [], '192.0.2.1'],
  ['an IPv4 client on an IPv6 socket', '', '::ffff:192.0.2.1', [], '192.0.2.1'],
  ['a client behind a proxy', '10.0.0.0/8', '::ffff:10.0.0.1', ['192.0.2.1'], '192.0.2.1'],
  ['a client that sends the header itself', '10.0.0.0/8', '10.0.0.1', ['198.51.100.9, 192.0.2.1'], '192.0.2.1'],
  ['a client behind two proxies', '10.0.0.0/8,fd00::/8', 'fd00::1', ['2001:db8::7', '10.0.0.2'], '2001:db8::7'],
  ['a proxy that names no address', '10.0.0.0/8', '10.0.0.1', ['unknown'], '10.0.0.1'],
])('the address of %s is found', (_, trusted, remote, forwarded, expected) => {
  expect(read(trusted, remote, ...forwarded)).toEqual({ addresses: [expected, expected], logged: [] })
})

test('the header of an untrusted sender is ignored, which is logged once', () => {
  proves('sign-in.forwarded')
  expect(read('10.0.0.0/8', '192.0.2.1', '198.51.100.9')).toEqual({
    addresses: ['192.0.2.1', '192.0.2.1'],
    logged: [expect.stringContaining('PLATEN_TRUSTED_PROXIES')],
  })
})
