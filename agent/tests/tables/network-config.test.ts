import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { getPrinterPort, OWNER_SCHEMES, parseNetworkPrinters } from '../../spoolers/network/config.ts'
import { isNetwork } from '../../spoolers/network/local-networks.ts'

function findFaults(printers: unknown): string[] {
  const faults: string[] = []
  parseNetworkPrinters(printers, faults)
  return faults
}

const ZEBRA = { name: 'Zebra', uri: 'socket://192.168.0.9:9100' }
const createPrinters = (count: number) => Array.from({ length: count }, (_, index) => ({ ...ZEBRA, name: `P${index}` }))

test.each([
  ...['socket://192.168.0.9', 'socket://printer.local:6101/', 'socket://[fe80::1]:9100?waiteof=false'],
  ...['ipp://printer.local/ipp/print', 'ipps://printer.local:443/ipp/print'],
])('%s is the URI of a printer', (uri) => {
  expect(findFaults([{ name: 'Zebra', uri }])).toEqual([])
})

test.each([
  ...[80, 443, 631].map((port) => ['ipp', port, [port - 1, port + 1]] as const),
  ...[80, 443, 631].map((port) => ['ipps', port, [port - 1, port + 1]] as const),
  ['socket', 9100, [9099, 631]] as const,
  ['socket', 9109, [9110, 80]] as const,
])('%s: has the port %d, and not %j', (scheme, port, others) => {
  const isUsual = (port: number) => getPrinterPort(`${scheme}://192.168.0.9:${port}`).isUsual
  expect([isUsual(port), ...others.map(isUsual)]).toEqual([true, false, false])
})

test('the port of a printer without one is 631 or 9100', () => {
  const ports = ['ipp', 'ipps', 'socket'].map((scheme) => getPrinterPort(`${scheme}://printer.local`))
  expect(ports).toEqual([631, 631, 9100].map((port) => ({ port, isUsual: true })))
})

test.each([
  ['10.2.0.0/16', true],
  ['10.2.0.0/32', true],
  ['10.2.0.0/33', false],
  ['fd12::/128', true],
  ['fd12::/129', false],
  ['10.2.0.0/16:65535', true],
  ['10.2.0.0/16:65536', false],
  ['10.2.0.0/16:0', false],
  ['fd12::/48:9200', true],
  ['printer.local/16', false],
  ['10.2.0.0', false],
  [true, false],
])('whether %s is an entry of allowedNetworks: %s', (entry, isEntry) => {
  expect(isNetwork(entry)).toBe(isEntry)
})

const WITH_PASSWORD = ['socket://user:secret@printer', 'ipp://user:secret@printer/ipp/print']
const WITH_PATH = [
  'socket:///x',
  'socket://printer/queue',
  'socket://printer?waiteof=no',
  'ipp://printer/ipp/print?x=1',
]
const WITHOUT_ADDRESS = [
  'lpd://printer',
  'printer:9100',
  'socket://',
  'socket://printer:0',
  'socket://printer:70000',
  '',
  9100,
]

test.each([...WITH_PASSWORD, ...WITH_PATH, ...WITHOUT_ADDRESS])(
  '%s is refused, and the message contains no password',
  (uri) => {
    const faults = findFaults([{ name: 'Zebra', uri }])
    expect(faults).toEqual([expect.stringMatching(/^"printers\[0\]": "uri" /)])
    expect(faults.join()).not.toContain('secret')
  },
)

test('all faults are reported at once with their positions', () => {
  const printers = [
    ZEBRA,
    { ...ZEBRA, colour: 'red' },
    { ...ZEBRA, name: ' ', description: 'two\nlines' },
    { ...ZEBRA, name: 'A', papers: { A4: [2100] }, dpis: ['203'] },
    'socket://printer',
  ]
  expect(findFaults(printers)).toEqual([
    '"printers[1]": unknown field "colour"',
    '"printers[1]": "name" is used by another printer',
    '"printers[2]": "name" must be 1 to 127 characters in one line',
    '"printers[2]": "description" must be 1 to 255 characters in one line',
    expect.stringMatching(/^"printers\[3\]": "papers" must /),
    '"printers[3]": "dpis" must have the form ["203x203"]',
    '"printers[4]" must be an object with "name" and "uri"',
  ])
})

test.each([
  ['a name of 127 characters', [{ ...ZEBRA, name: 'n'.repeat(127) }], 0],
  ['a name of 128 characters', [{ ...ZEBRA, name: 'n'.repeat(128) }], 1],
  ['an empty name', [{ ...ZEBRA, name: '' }], 1],
  ['100 printers', createPrinters(100), 0],
  ['101 printers', createPrinters(101), 1],
  ['no printers', undefined, 0],
  ['an object', {}, 1],
  ['papers with a size in 0.1 mm, rolls without a height', [{ ...ZEBRA, papers: { A: [1, 1], B: [1, null] } }], 0],
  ...[[0, 1], [1, 0], [1.5, 2], ['1', 2], [1, 2, 3], null, { width: 1 }].map(
    (size) => [`a paper of ${JSON.stringify(size)}`, [{ ...ZEBRA, papers: { A4: size } }], 1] as const,
  ),
] as const)('%s in the configuration has the expected number of faults', (_, printers, count) => {
  expect(findFaults(printers)).toHaveLength(count)
})

const findOwnerFaults = (printer: object) => {
  const faults: string[] = []
  parseNetworkPrinters([{ name: 'Archive', ...printer }], faults, OWNER_SCHEMES)
  return faults
}

test('a folder is a printer of the owner alone, with an absolute path and a template that is known', () => {
  proves('folder.owner')
  const folder = { uri: 'file:///srv/archive', fileName: '{date} {title}' }
  expect(findOwnerFaults(folder)).toEqual([])
  expect(findFaults([{ name: 'Archive', ...folder }])).toEqual([expect.stringMatching(/"uri" must have the form/)])
  for (const uri of ['file:///', 'file://server/share', 'file:///a?x', 'file:///a#x', 'file:///a%00', 'file:///a%2Fb'])
    expect(findOwnerFaults({ uri }), uri).toEqual([expect.stringMatching(/"uri" of a folder must be/)])
  for (const fileName of ['', '{name}', '{title', 'x'.repeat(128), 7])
    expect(findOwnerFaults({ ...folder, fileName }), String(fileName)).toEqual([
      expect.stringMatching(/"fileName" must/),
    ])
  expect(findOwnerFaults({ ...ZEBRA, fileName: '{title}' })).toEqual([expect.stringMatching(/only a file: printer/)])
})
