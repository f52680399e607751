import type { Resolver } from 'node:dns/promises'
import { Socket } from 'node:net'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readEnvironment } from '../../config.ts'
import { allowedNetworks, trustedProxies } from '../../fetch/allowed-networks.ts'
import { fetchFile } from '../../fetch/fetch-file.ts'
import { isInNetwork, isPublicAddress } from '../../fetch/public-address.ts'
import { createPublicNetwork, type PublicNetworkOptions, queryAddresses } from '../../fetch/public-network.ts'
import { readUrl, UNRESERVED_PORTS, WEB_PORTS } from '../../fetch/public-url.ts'
import { ADDRESS_VECTORS } from './address-vectors.ts'
import { FORBIDDEN_FORMS, URL_VECTORS } from './url-vectors.ts'

describe('addresses', () => {
  test('at the edges of every special-purpose block and in every embedding only public addresses are public', () => {
    proves(
      'blocked.loopback',
      'blocked.private',
      'blocked.link-local',
      'blocked.cgnat',
      'blocked.multicast',
      'blocked.reserved',
      'blocked.documentation',
      'blocked.metadata',
      'blocked.ipv4',
      'blocked.ipv6',
      'blocked.ipv4-mapped',
      'blocked.nat64',
      'blocked.6to4',
    )
    expect(ADDRESS_VECTORS.length).toBeGreaterThan(1_200)
    expect(ADDRESS_VECTORS.filter(({ isPublic }) => isPublic).length).toBeGreaterThan(20)
    expect(ADDRESS_VECTORS.filter(({ address, isPublic }) => isPublicAddress(address) !== isPublic)).toEqual([])
  })

  test('a text that is not an address is not public', () => {
    const texts = [
      '',
      'localhost',
      '1.2.3',
      '0177.0.0.1',
      '8.8.8.8.',
      '2a00::1%eth0',
      '[2a00::1]',
      '8.8.8.8/32',
      ' 8.8.8.8',
    ]
    expect(texts.filter(isPublicAddress)).toEqual([])
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
  const read = (value: string) =>
    readEnvironment(z.object({ PLATEN_ALLOWED_NETWORKS: allowedNetworks }), { PLATEN_ALLOWED_NETWORKS: value })
      .PLATEN_ALLOWED_NETWORKS

  test('is a list of networks, and empty by default', () => {
    proves('allowed.default')
    expect(allowedNetworks.parse(undefined)).toEqual([])
    expect(read('')).toEqual([])
    expect(read(' 10.1.0.0/16, fd12::/48 ')).toEqual([
      { address: '10.1.0.0', prefixLength: 16 },
      { address: 'fd12::', prefixLength: 48 },
    ])
    expect(read('10.1.0.0/16:8443,fd12::/48:443')).toEqual([
      { address: '10.1.0.0', prefixLength: 16, port: 8443 },
      { address: 'fd12::', prefixLength: 48, port: 443 },
    ])
  })

  test('proxies have no port', () => {
    expect(() => trustedProxies.parse('10.1.0.0/16:8443')).toThrow('10.1.0.0/16:8443 is not a network')
  })

  const WRONG =
    '10.1.0.0 10.1/16 10.1.0.0/33 fd12::/129 intranet 10.0.0.0/8; 0x0a.0.0.0/8 10.0.0.0/-1 10.0.0.0/8:0 10.0.0.0/8:65536 10.0.0.0/8: 10.0.0.0:80'
  test.each(WRONG.split(' '))('%s is refused by name', (value) => {
    expect(() => read(value)).toThrow(/PLATEN_ALLOWED_NETWORKS: .* is not a network in CIDR notation/)
  })
})

describe('the form of a URL', () => {
  const getFault = (text: string) => {
    const read = readUrl(text, WEB_PORTS)
    return 'fault' in read ? read.fault : undefined
  }

  test.each([
    ['http://files.example.com', undefined],
    ['https://files.example.com/a.pdf?token=b#c', undefined],
    ['HTTPS://Files.Example.com:443/', undefined],
    ['http://files.example.com:443/', undefined],
    ['https://files.example.com:80/', undefined],
    ['http://[2a00::1]/', undefined],
    ['https://例え.example/ä?ö', undefined],
    ['https://files.example.com/a@b:c', undefined],
    ['ftp://files.example.com/', 'form'],
    ['files.example.com/a.pdf', 'form'],
    ['http:files.example.com', 'form'],
    ['http://files.example.com\\a', 'form'],
    ['https://user@files.example.com/', 'user_info'],
    ['https://:pass@files.example.com/', 'user_info'],
    ['https://@files.example.com/', 'user_info'],
    ['https://files.example.com:8443/', 'port'],
    ['http://files.example.com:81/', 'port'],
  ])('%s: %s', (text, fault) => expect(getFault(text)).toBe(fault))

  test.each([
    [2048, undefined],
    [2049, 'length'],
  ])('%i characters, counted in code points: %s', (length, fault) => {
    for (const character of 'a🖨')
      expect(getFault(`https://files.example.com/${character.repeat(length - 26)}`)).toBe(fault)
  })
})

/** `dialled` has the addresses and ports that a request connects to. Every connection fails. */
function recordingNetwork(options: Omit<PublicNetworkOptions, 'allowed' | 'dial'> & { allowed?: string }) {
  const dialled: string[] = []
  const network = createPublicNetwork({
    ...options,
    allowed: allowedNetworks.parse(options.allowed),
    dial(addresses, port) {
      dialled.push(...addresses.map((address) => `${address} ${port}`))
      return new Socket().destroy(new Error('nothing listens'))
    },
  })
  async function getFault(text: string): Promise<string> {
    const read = network.readUrl(text)
    if ('fault' in read) return read.fault
    const { signal } = new AbortController()
    const request = { url: read.url, headers: {}, limitBytes: 10, deadlineMs: 5_000, signal }
    return await fetchFile(network, request, async () => 'fetched').catch((error) => error.fault ?? String(error))
  }
  return { dialled, getFault }
}

describe('connections', () => {
  test.each(['127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1'])(
    'no spelling of a URL leads to an address that is not public, even if its host resolves to %s',
    async (inside) => {
      proves('blocked.loopback', 'blocked.private', 'blocked.link-local', 'blocked.metadata', 'blocked.ipv4-mapped')
      expect(URL_VECTORS.length).toBeGreaterThan(1_500)
      const { dialled, getFault } = recordingNetwork({ resolve: async () => [inside] })
      for (const url of URL_VECTORS)
        expect(['length', 'form', 'user_info', 'port', 'blocked_address'], url).toContain(await getFault(url))
      expect(dialled).toEqual([])
    },
  )

  test('a URL of a forbidden form is not connected to, even if its host is public', async () => {
    const { dialled, getFault } = recordingNetwork({
      resolve: async () => ['93.184.216.34'],
      allowed: '0.0.0.0/0,::/0',
    })
    for (const url of FORBIDDEN_FORMS) expect(['form', 'user_info', 'port'], url).toContain(await getFault(url))
    expect(dialled).toEqual([])
  })

  test.each([
    ['a public and a private address', ['93.184.216.34', '10.0.0.1'], 'blocked_address'],
    ['a private and a public address', ['127.0.0.1', '93.184.216.34'], 'blocked_address'],
    ['a public and a link-local address', ['93.184.216.34', 'fe80::1'], 'blocked_address'],
    ['a private address after 40 public ones', [...Array(40).fill('93.184.216.1'), '192.168.0.1'], 'blocked_address'],
    ['a text that is not an address', ['93.184.216.34', 'localhost'], 'blocked_address'],
    ['no address', [], 'dns'],
  ])('a host with %s is refused', async (_, addresses, fault) => {
    const { dialled, getFault } = recordingNetwork({ resolve: async () => addresses })
    expect(await getFault('http://files.example.com/')).toBe(fault)
    expect(dialled).toEqual([])
  })

  test.each([
    ['is the addresses of one query if the other fails', ['93.184.216.34'], 'ETIMEOUT', ['93.184.216.34']],
    ['is empty if the host does not exist', 'ENOTFOUND', 'ENOTFOUND', []],
    ['is empty if the host has no records', 'ENODATA', 'ENODATA', []],
    ['is unknown after a timeout', 'ETIMEOUT', 'ETIMEOUT', 'dns_failed'],
    ['is unknown if one query fails and the other is empty', 'ENODATA', 'ESERVFAIL', 'dns_failed'],
    ['is unknown if the server refuses', 'EREFUSED', [], 'dns_failed'],
  ] as const)('the result of DNS %s', async (_, ofV4, ofV6, result) => {
    const query = (answer: readonly string[] | string) => () =>
      typeof answer === 'string' ? Promise.reject(Object.assign(new Error(answer), { code: answer })) : answer
    const resolver = { resolve4: query(ofV4), resolve6: query(ofV6) } as unknown as Resolver
    expect(await queryAddresses(resolver, 'files.example.com').catch(({ fault }) => fault)).toEqual(result)
  })

  test('a fetch resolves its host once and connects to the checked address', async () => {
    proves('fetch.pinned')
    const answers = [['93.184.216.34'], ['127.0.0.1'], ['127.0.0.1']]
    let lookUps = 0
    const { dialled, getFault } = recordingNetwork({ resolve: async () => answers[lookUps++] ?? [] })
    expect(await getFault('http://rebinding.example.com/')).toBe('connect')
    expect({ lookUps, dialled }).toEqual({ lookUps: 1, dialled: ['93.184.216.34 80'] })
    expect(await getFault('http://rebinding.example.com/')).toBe('blocked_address')
    expect(dialled).toHaveLength(1)
  })

  test('public addresses are connected to, on the port of the URL', async () => {
    const { dialled, getFault } = recordingNetwork({ resolve: async () => ['93.184.216.34', '2a00::1'] })
    // Parsers read the last host differently: as 8.0.0.1 (octal) or 10.0.0.1.
    for (const url of ['http://files.example.com/', 'https://[2a00::2]/', 'http://8.8.8.8:443/', 'http://010.0.0.1/'])
      expect(await getFault(url)).toBe('connect')
    expect(dialled).toEqual(['93.184.216.34 80', '2a00::1 80', '2a00::2 443', '8.8.8.8 443', '8.0.0.1 80'])
  })

  test('only the networks that the operator allows are connected to', async () => {
    proves('allowed.cidr')
    const { dialled, getFault } = recordingNetwork({ resolve: async () => ['10.1.2.3'], allowed: '10.1.0.0/16' })
    expect(await getFault('http://intranet.example.com/')).toBe('connect')
    expect(await getFault('http://10.1.255.255/')).toBe('connect')
    expect(await getFault('http://10.2.0.0/')).toBe('blocked_address')
    expect(await getFault('http://127.0.0.1/')).toBe('blocked_address')
    expect(await getFault('http://10.1.2.3:8080/')).toBe('port')
    expect(dialled).toEqual(['10.1.2.3 80', '10.1.255.255 80'])
  })

  test('an allowed network with a port is connected to on this port only', async () => {
    proves('allowed.port')
    const { dialled, getFault } = recordingNetwork({
      ports: UNRESERVED_PORTS,
      resolve: async () => ['10.1.2.3'],
      allowed: '10.1.0.0/16:8443,10.1.0.0/16:443',
    })
    expect(await getFault('https://intranet.example.com/')).toBe('connect')
    expect(await getFault('https://intranet.example.com:8443/')).toBe('connect')
    expect(await getFault('https://intranet.example.com:8444/')).toBe('blocked_address')
    expect(await getFault('http://intranet.example.com/')).toBe('blocked_address')
    expect(dialled).toEqual(['10.1.2.3 443', '10.1.2.3 8443'])
  })
})
