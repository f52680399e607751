import { expect, test } from 'vitest'
import { type Kind, splitUri, toUri } from '../../src/features/devices/add-printer/printer-address.ts'

test.each<[Kind, address: string, uri: string]>([
  ['ipp', '192.168.0.9', 'ipp://192.168.0.9/ipp/print'],
  ['ipps', ' office.local:443 ', 'ipps://office.local:443/ipp/print'],
  ['ipp', 'office.local/printers/laser', 'ipp://office.local/printers/laser'],
  ['ipp', '[fe80::1]', 'ipp://[fe80::1]/ipp/print'],
  ['socket', '192.168.0.9', 'socket://192.168.0.9'],
  ['socket', '192.168.0.9:9101', 'socket://192.168.0.9:9101'],
  ['ipp', 'socket://192.168.0.9', 'socket://192.168.0.9'],
])('the address of kind %s, %s, is %s', (kind, address, uri) => {
  expect(toUri(kind, address)).toBe(uri)
})

test.each([
  ['ipps://192.168.0.9:443/ipp/print', 'ipps', '192.168.0.9:443'],
  ['ipp://192.168.0.9/ipp/print/fax', 'ipp', '192.168.0.9/ipp/print/fax'],
  ['socket://192.168.0.9:9100', 'socket', '192.168.0.9:9100'],
  [undefined, 'ipp', ''],
])('a found printer %s is shown as %s and %s', (uri, kind, address) => {
  expect(splitUri(uri)).toEqual({ kind, address })
  if (uri) expect(toUri(kind as Kind, address)).toBe(uri)
})
