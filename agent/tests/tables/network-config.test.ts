import { expect, test } from 'vitest'
import { readNetworkPrinters } from '../../spoolers/network/config.ts'

function faultsOf(printers: unknown): string[] {
  const faults: string[] = []
  readNetworkPrinters(printers, faults)
  return faults
}

const ZEBRA = { name: 'Zebra', uri: 'socket://192.168.0.9:9100' }
const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ZEBRA, name: `P${index}` }))

test.each([
  ...['socket://192.168.0.9', 'socket://printer.local:6101/', 'socket://[fe80::1]:9100?waiteof=false'],
  ...['ipp://printer.local/ipp/print', 'ipps://printer.local:443/ipp/print'],
])('%s is the URI of a printer', (uri) => {
  expect(faultsOf([{ name: 'Zebra', uri }])).toEqual([])
})

const WITH_PASSWORD = ['socket://user:secret@printer', 'ipp://user:secret@printer/ipp/print']
const WITH_PATH = [
  'socket:///x',
  'socket://printer/queue',
  'socket://printer?waiteof=no',
  'ipp://printer/ipp/print?x=1',
]
const PLACES = ['lpd://printer', 'printer:9100', 'socket://', 'socket://printer:0', 'socket://printer:70000', '', 9100]

test.each([...WITH_PASSWORD, ...WITH_PATH, ...PLACES])('%s is refused, and no password is repeated', (uri) => {
  const faults = faultsOf([{ name: 'Zebra', uri }])
  expect(faults).toEqual([expect.stringMatching(/^"printers\[0\]": "uri" /)])
  expect(faults.join()).not.toContain('secret')
})

test('all faults are reported at once, each with its place', () => {
  const printers = [
    ZEBRA,
    { ...ZEBRA, colour: 'red' },
    { ...ZEBRA, name: ' ', description: 'two\nlines' },
    { ...ZEBRA, name: 'A', papers: { A4: [2100] }, dpis: ['203'] },
    'socket://printer',
  ]
  expect(faultsOf(printers)).toEqual([
    '"printers[1]": "colour" is not known',
    '"printers[1]": "name" is that of another printer',
    '"printers[2]": "name" must be 1 to 127 characters in one line',
    '"printers[2]": "description" must be 1 to 255 characters in one line',
    expect.stringMatching(/^"printers\[3\]": "papers" must /),
    '"printers[3]": "dpis" must be as ["203x203"]',
    '"printers[4]" must be an object of "name" and "uri"',
  ])
})

test.each([
  ['a name of 127 characters', [{ ...ZEBRA, name: 'n'.repeat(127) }], 0],
  ['a name of 128 characters', [{ ...ZEBRA, name: 'n'.repeat(128) }], 1],
  ['an empty name', [{ ...ZEBRA, name: '' }], 1],
  ['100 printers', numbered(100), 0],
  ['101 printers', numbered(101), 1],
  ['no printers', undefined, 0],
  ['an object', {}, 1],
  ['papers with a size in 0.1 mm, rolls without a height', [{ ...ZEBRA, papers: { A: [1, 1], B: [1, null] } }], 0],
  ...[[0, 1], [1, 0], [1.5, 2], ['1', 2], [1, 2, 3], null, { width: 1 }].map(
    (size) => [`a paper of ${JSON.stringify(size)}`, [{ ...ZEBRA, papers: { A4: size } }], 1] as const,
  ),
] as const)('%s in the configuration', (_, printers, count) => {
  expect(faultsOf(printers)).toHaveLength(count)
})
