import { expect, test } from 'vitest'
import { readNetworkPrinters } from '../spoolers/network/config.ts'

function faultsOf(printers: unknown): string[] {
  const faults: string[] = []
  readNetworkPrinters(printers, faults)
  return faults
}

const ZEBRA = { name: 'Zebra', uri: 'socket://192.168.0.9:9100' }

test.each([
  'socket://192.168.0.9',
  'socket://printer.local:6101/',
  'socket://[fe80::1]:9100?waiteof=false',
  'ipp://printer.local/ipp/print',
  'ipps://printer.local:443/ipp/print',
])('%s names a printer', (uri) => {
  expect(faultsOf([{ name: 'Zebra', uri }])).toEqual([])
})

test.each([
  'lpd://printer',
  'printer:9100',
  'socket://',
  'socket:///x',
  'socket://printer/queue',
  'socket://printer:0',
  'socket://printer:70000',
  'socket://printer?waiteof=no',
  'socket://user:secret@printer',
  'ipp://user:secret@printer/ipp/print',
  'ipp://printer/ipp/print?x=1',
  '',
  9100,
])('%s names none', (uri) => {
  expect(faultsOf([{ name: 'Zebra', uri }])).toEqual([expect.stringMatching(/^"printers\[0\]": "uri" /)])
})

test('a password in a URI is not repeated in what is said of it', () => {
  expect(faultsOf([{ name: 'Zebra', uri: 'socket://user:secret@printer' }]).join()).not.toContain('secret')
})

test('everything that is wrong is said at once, by its place', () => {
  expect(
    faultsOf([
      ZEBRA,
      { name: 'Zebra', uri: ZEBRA.uri, colour: 'red' },
      { name: ' ', uri: ZEBRA.uri, description: 'two\nlines' },
      { ...ZEBRA, name: 'A', papers: { A4: [2100] }, dpis: ['203'] },
      'socket://printer',
    ]),
  ).toEqual([
    '"printers[1]": "colour" is not known',
    '"printers[1]": "name" is that of another printer',
    '"printers[2]": "name" must be 1 to 127 characters in one line',
    '"printers[2]": "description" must be 1 to 255 characters in one line',
    expect.stringMatching(/^"printers\[3\]": "papers" must /),
    '"printers[3]": "dpis" must be as ["203x203"]',
    '"printers[4]" must be an object of "name" and "uri"',
  ])
})

test('a name has 1 to 127 characters', () => {
  expect(faultsOf([{ ...ZEBRA, name: 'n'.repeat(127) }])).toEqual([])
  expect(faultsOf([{ ...ZEBRA, name: 'n'.repeat(128) }])).toHaveLength(1)
  expect(faultsOf([{ ...ZEBRA, name: '' }])).toHaveLength(1)
})

test('there are at most 100 printers, or none', () => {
  const printers = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ZEBRA, name: `P${index}` }))
  expect(faultsOf(printers(100))).toEqual([])
  expect(faultsOf(printers(101))).toHaveLength(1)
  expect(faultsOf(undefined)).toEqual([])
  expect(faultsOf({})).toHaveLength(1)
})

test('papers are sizes in tenths of a millimetre, and rolls have no height', () => {
  const faults = (papers: unknown) => faultsOf([{ ...ZEBRA, papers }])
  expect(faults({ '4x6': [1016, 1524], Roll: [1016, null] })).toEqual([])
  for (const size of [[0, 1], [1, 0], [1.5, 2], ['1', 2], [1, 2, 3], null, { width: 1 }])
    expect(faults({ A4: size })).toHaveLength(1)
})
