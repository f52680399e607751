import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readEnvironment } from '../config.ts'
import { allowedNetworks } from '../fetch/allowed-networks.ts'
import { fetchFile } from '../fetch/fetch-file.ts'
import { isInNetwork, isPublicAddress } from '../fetch/public-address.ts'
import { createPublicNetwork, type PublicNetworkOptions } from '../fetch/public-network.ts'
import { readUrl } from '../fetch/public-url.ts'
import { ADDRESS_VECTORS } from './address-vectors.ts'
import { FORBIDDEN_FORMS, URL_VECTORS } from './url-vectors.ts'

describe('addresses', () => {
  test('at the edges of every special-purpose block, in every embedding, only public ones are let through', () => {
    expect(ADDRESS_VECTORS.length).toBeGreaterThan(1_200)
    expect(ADDRESS_VECTORS.filter(({ isPublic }) => isPublic).length).toBeGreaterThan(20)
    const wrong = ADDRESS_VECTORS.filter(({ address, isPublic }) => isPublicAddress(address) !== isPublic)
    expect(wrong).toEqual([])
  })

  test.each([
    '',
    'localhost',
    '1.2.3',
    '0177.0.0.1',
    '8.8.8.8.',
    '2a00::1%eth0',
    '[2a00::1]',
    '8.8.8.8/32',
    ' 8.8.8.8',
  ])('what is no address is not public: %j', (text) => {
    expect(isPublicAddress(text)).toBe(false)
  })

  test.each([
    ['10.0.0.0/8', '10.0.0.0', true],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '9.255.255.255', false],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', false],
    ['127.0.0.2/32', '127.0.0.2', true],
    ['127.0.0.2/32', '127.0.0.3', false],
    ['fd12::/48', 'fd12::1', true],
    ['fd12::/48', 'fd12:0:1::', false],
    ['::/0', '10.0.0.1', false],
  ])('a network %s and the address %s: %s', (cidr, address, isIn) => {
    const [network] = allowedNetworks.parse(cidr)
    expect(network && isInNetwork(address, network)).toBe(isIn)
  })
})

describe('PLATEN_ALLOWED_NETWORKS', () => {
  const read = (value: string | undefined) =>
    readEnvironment(z.object({ PLATEN_ALLOWED_NETWORKS: allowedNetworks }), { PLATEN_ALLOWED_NETWORKS: value })

  test('opens nothing when it is not set or empty', () => {
    expect(read('').PLATEN_ALLOWED_NETWORKS).toEqual([])
    expect(allowedNetworks.parse(undefined)).toEqual([])
  })

  test('is a list of networks', () => {
    expect(read(' 10.1.0.0/16, fd12::/48 ').PLATEN_ALLOWED_NETWORKS).toEqual([
      { address: '10.1.0.0', prefixLength: 16 },
      { address: 'fd12::', prefixLength: 48 },
    ])
  })

  test.each([
    '10.1.0.0',
    '10.1/16',
    '10.1.0.0/33',
    'fd12::/129',
    'intranet',
    '10.0.0.0/8;',
    '0x0a.0.0.0/8',
    '10.0.0.0/-1',
  ])('is refused by name when it is %s', (value) => {
    expect(() => read(value)).toThrow(/PLATEN_ALLOWED_NETWORKS: .* is no network in CIDR notation/)
  })
})

describe('the form of a URL', () => {
  const faultOf = (text: string) => {
    const read = readUrl(text, [80, 443])
    return 'fault' in read ? read.fault : undefined
  }
  const long = (length: number) => `https://files.example.com/${'a'.repeat(length - 26)}`

  test.each([
    'http://files.example.com',
    'https://files.example.com/a.pdf?token=b#c',
    'HTTPS://Files.Example.com:443/',
    'http://files.example.com:443/',
    'https://files.example.com:80/',
    'http://[2a00::1]/',
    'https://例え.example/ä?ö',
    'https://files.example.com/a@b:c',
  ])('%s is right', (text) => expect(faultOf(text)).toBeUndefined())

  test.each([
    [2048, undefined],
    [2049, 'length'],
  ])('of %i characters, counted in code points: %s', (length, fault) => {
    expect(faultOf(long(length))).toBe(fault)
    expect(faultOf(`https://files.example.com/${'🖨'.repeat(length - 26)}`)).toBe(fault)
  })

  test.each([
    ['ftp://files.example.com/', 'form'],
    ['files.example.com/a.pdf', 'form'],
    ['http:files.example.com', 'form'],
    ['http://files.example.com\\a', 'form'],
    ['https://user@files.example.com/', 'user_info'],
    ['https://:pass@files.example.com/', 'user_info'],
    ['https://@files.example.com/', 'user_info'],
    ['https://files.example.com:8443/', 'port'],
    ['http://files.example.com:81/', 'port'],
  ])('%s is not: %s', (text, fault) => expect(faultOf(text)).toBe(fault))
})

/** What was connected to, if anything: nothing leaves this machine. */
function recordingNetwork(options: Omit<PublicNetworkOptions, 'allowed' | 'dial'> & { allowed?: string }) {
  const dialled: string[] = []
  const network = createPublicNetwork({
    ...options,
    allowed: allowedNetworks.parse(options.allowed),
    dial(addresses, port): Socket {
      dialled.push(...addresses.map((address) => `${address} ${port}`))
      // Nobody listens there: connecting fails at once.
      return connect(1, '127.0.0.1')
    },
  })
  async function faultOf(text: string): Promise<string> {
    const read = network.readUrl(text)
    if ('fault' in read) return read.fault
    const request = {
      url: read.url,
      headers: {},
      limitBytes: 10,
      deadlineMs: 5_000,
      signal: AbortSignal.timeout(10_000),
    }
    return await fetchFile(network, request, async () => 'fetched').catch((error) => error.fault ?? String(error))
  }
  return { network, dialled, faultOf }
}

describe('connections', () => {
  test('no URL leads to an address that is not public, however it is written, and whatever a lenient resolver makes of its host', async () => {
    expect(URL_VECTORS.length).toBeGreaterThan(1_500)
    for (const inside of ['127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1']) {
      const { dialled, faultOf } = recordingNetwork({ resolve: async () => [inside] })
      for (const url of URL_VECTORS) {
        const fault = await faultOf(url)
        expect(['length', 'form', 'user_info', 'port', 'blocked_address'], url).toContain(fault)
      }
      expect(dialled).toEqual([])
    }
  })

  test('a URL of a forbidden form leads nowhere, also where its host would be public', async () => {
    const { dialled, faultOf } = recordingNetwork({ resolve: async () => ['93.184.216.34'], allowed: '0.0.0.0/0,::/0' })
    for (const url of FORBIDDEN_FORMS) expect(['form', 'user_info', 'port'], url).toContain(await faultOf(url))
    expect(dialled).toEqual([])
  })

  test.each([
    ['a public and a private one', ['93.184.216.34', '10.0.0.1']],
    ['a private and a public one', ['127.0.0.1', '93.184.216.34']],
    ['a public one and an IPv6 one of this link', ['93.184.216.34', 'fe80::1']],
    ['many, the last of them private', [...Array.from({ length: 40 }, (_, n) => `93.184.216.${n}`), '192.168.0.1']],
    ['something that is no address', ['93.184.216.34', 'localhost']],
  ])('a host with mixed answers is refused: %s', async (_, addresses) => {
    const { dialled, faultOf } = recordingNetwork({ resolve: async () => addresses })
    expect(await faultOf('http://files.example.com/')).toBe('blocked_address')
    expect(dialled).toEqual([])
  })

  test('a host without an address is refused', async () => {
    const { dialled, faultOf } = recordingNetwork({ resolve: async () => [] })
    expect(await faultOf('http://files.example.com/')).toBe('dns')
    expect(dialled).toEqual([])
  })

  test('a fetch connects to the address that was checked: a host is looked up once, and a second answer is not asked for', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['127.0.0.1']]
    let lookUps = 0
    const { dialled, faultOf } = recordingNetwork({ resolve: async () => answers[lookUps++] ?? [] })
    expect(await faultOf('http://rebinding.example.com/')).toBe('connect')
    expect({ lookUps, dialled }).toEqual({ lookUps: 1, dialled: ['93.184.216.34 80'] })
    expect(await faultOf('http://rebinding.example.com/')).toBe('blocked_address')
    expect(dialled).toHaveLength(1)
  })

  test('public addresses are connected to, on the port of the URL', async () => {
    const { dialled, faultOf } = recordingNetwork({ resolve: async () => ['93.184.216.34', '2a00::1'] })
    for (const url of ['http://files.example.com/', 'https://[2a00::2]/', 'http://8.8.8.8:443/']) await faultOf(url)
    expect(dialled).toEqual(['93.184.216.34 80', '2a00::1 80', '2a00::2 443', '8.8.8.8 443'])
  })

  test('a host that parsers read differently is connected to as it was checked', async () => {
    const { dialled, faultOf } = recordingNetwork({ resolve: async () => ['10.0.0.1'] })
    expect(await faultOf('http://010.0.0.1/')).toBe('connect')
    expect(dialled).toEqual(['8.0.0.1 80'])
  })

  test('networks that the operator allowed are connected to, and no others', async () => {
    const { dialled, faultOf } = recordingNetwork({ resolve: async () => ['10.1.2.3'], allowed: '10.1.0.0/16' })
    expect(await faultOf('http://intranet.example.com/')).toBe('connect')
    expect(await faultOf('http://10.1.255.255/')).toBe('connect')
    expect(await faultOf('http://10.2.0.0/')).toBe('blocked_address')
    expect(await faultOf('http://127.0.0.1/')).toBe('blocked_address')
    expect(await faultOf('http://10.1.2.3:8080/')).toBe('port')
    expect(dialled).toEqual(['10.1.2.3 80', '10.1.255.255 80'])
  })
})
