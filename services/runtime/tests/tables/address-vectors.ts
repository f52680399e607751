/**
 * Addresses at the edges of IANA's special-purpose blocks, and IPv6 addresses that embed IPv4, with the expected
 * result. Computed from the registries by arithmetic, independently of the code under test and its library.
 */

/** RFC 6890 and its registry; 224/4 and 240/4; reachable blocks for special purposes; Azure's metadata server. */
const IPV4_BLOCKS = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.0.0/29 192.0.0.8/32 192.0.0.9/32
  192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16
  192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32 168.63.129.16/32`

/** Only 2000::/3 of IPv6 is assigned; these are its exceptions. The last four are outside of it. */
const IPV6_BLOCKS = `
  2001::/23 2001::/32 2001:1::1/128 2001:1::2/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28 2001:30::/28
  2001:db8::/32 2002::/16 2620:4f:8000::/48 3ffe::/16 3fff::/20 ::/3 ::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96
  64:ff9b:1::/48 100::/64 100:0:0:1::/64 5f00::/16 4000::/2 8000::/1 fc00::/7 fe80::/10 fec0::/10 ff00::/8`

export interface AddressVector {
  address: string
  isPublic: boolean
}

interface Block {
  first: bigint
  last: bigint
}

const list = (text: string) => text.trim().split(/\s+/)

export function toNumber(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const [head = '', tail] = address.split('::')
  const groups = (text = '') => (text === '' ? [] : text.split(':'))
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length
  const all = [...groups(head), ...Array<string>(missing).fill('0'), ...groups(tail)]
  return all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n)
}

const ipv4Text = (number: bigint) => [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join('.')

export const ipv6Text = (number: bigint) =>
  Array.from({ length: 8 }, (_, at) => ((number >> BigInt(112 - 16 * at)) & 65535n).toString(16)).join(':')

function parseBlock(cidr: string): Block {
  const [address = '', length = ''] = cidr.split('/')
  const bits = (address.includes(':') ? 128 : 32) - Number(length)
  const first = (toNumber(address) >> BigInt(bits)) << BigInt(bits)
  return { first, last: first + (1n << BigInt(bits)) - 1n }
}

const IPV4 = list(IPV4_BLOCKS).map(parseBlock)
const IPV6 = list(IPV6_BLOCKS).map(parseBlock)
const isIn = (blocks: Block[]) => (number: bigint) =>
  blocks.some(({ first, last }) => number >= first && number <= last)

/** Before, at and after both edges, and between them. */
function edges(blocks: Block[], bits: bigint): bigint[] {
  const numbers = blocks.flatMap(({ first, last }) => {
    const quarter = (last - first) / 4n
    return [
      first - 1n,
      first,
      first + 1n,
      first + quarter,
      first + 2n * quarter,
      last - quarter,
      last - 1n,
      last,
      last + 1n,
    ]
  })
  return [...new Set(numbers.filter((number) => number >= 0n && number < 1n << bits))]
}

/**
 * RFC 4291 (mapped, compatible), 2765 (translated), 6052 (NAT64), 8215 (local NAT64), 3056 (6to4), 4380 (Teredo, client
 * and server).
 */
export const EMBEDDINGS: Record<string, (ipv4: bigint) => bigint> = {
  mapped: (ipv4) => toNumber('::ffff:0:0') + ipv4,
  compatible: (ipv4) => ipv4,
  translated: (ipv4) => toNumber('::ffff:0:0:0') + ipv4,
  nat64: (ipv4) => toNumber('64:ff9b::') + ipv4,
  'local nat64': (ipv4) => toNumber('64:ff9b:1::') + ipv4,
  '6to4': (ipv4) => toNumber('2002::1') + (ipv4 << 80n),
  'teredo client': (ipv4) => toNumber('2001:0:808:808::') + (ipv4 ^ 0xffffffffn),
  'teredo server': (ipv4) => toNumber('2001::f7f7:f7f7') + (ipv4 << 64n),
}

const ipv4Numbers = edges(IPV4, 32n)

export const SPECIAL_IPV4: string[] = ipv4Numbers.filter(isIn(IPV4)).map(ipv4Text)

export const ADDRESS_VECTORS: AddressVector[] = [
  ...ipv4Numbers.map((number) => ({ address: ipv4Text(number), isPublic: !isIn(IPV4)(number) })),
  ...edges(IPV6, 128n).map((number) => ({ address: ipv6Text(number), isPublic: !isIn(IPV6)(number) })),
  // Refused for all embedded addresses, including public ones.
  ...Object.values(EMBEDDINGS).flatMap((embed) =>
    ipv4Numbers.map((number) => ({ address: ipv6Text(embed(number)), isPublic: false })),
  ),
]
