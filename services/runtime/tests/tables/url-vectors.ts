/** URLs of addresses that are not public, in every notation that some parser accepts. */
import { EMBEDDINGS, ipv6Text, SPECIAL_IPV4, toNumber } from './address-vectors.ts'

const hex = (number: bigint | number) => `0x${number.toString(16)}`
const octal = (number: bigint | number) => `0${number.toString(8)}`
const digits = (text: string, zero: number) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
const circled = (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(digit === '0' ? 0x24ea : 0x245f + Number(digit)))
const percent = (text: string) => [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join('')

const parts = (spell: (part: string, at: number) => string | number) => (address: string) =>
  address.split('.').map(spell).join('.')

/** Notations of an IPv4 address. */
const SPELLINGS: Record<string, (address: string) => string> = {
  dotted: (address) => address,
  'trailing dot': (address) => `${address}.`,
  'one decimal number': (address) => String(toNumber(address)),
  'one hexadecimal number': (address) => hex(toNumber(address)),
  'one octal number': (address) => octal(toNumber(address)),
  'hexadecimal parts': parts((part) => hex(Number(part))),
  'octal parts': parts((part) => octal(Number(part))),
  'octal parts with zeros': parts((part) => `000${octal(Number(part))}`),
  'mixed parts': parts((part, at) => (at % 2 ? hex(Number(part)) : part)),
  'two parts': (address) => `${toNumber(address) >> 24n}.${toNumber(address) & 0xffffffn}`,
  'three parts': (address) =>
    `${toNumber(address) >> 24n}.${(toNumber(address) >> 16n) & 255n}.${toNumber(address) & 0xffffn}`,
  'an overflowing number': (address) => String(toNumber(address) + (1n << 32n)),
  'overflowing parts': parts((part) => Number(part) + 256),
  'full-width digits': (address) => digits(address, 0xff10),
  'circled digits': circled,
  'mathematical digits': (address) => digits(address, 0x1d7ce),
  'ideographic full stops': (address) => address.replaceAll('.', '。'),
  'half-width full stops': (address) => address.replaceAll('.', '｡'),
  'percent encoding': percent,
  'a soft hyphen': (address) => address.replace('.', '\u00ad.'),
  'a zero-width space': (address) => address.replace('.', '\u200b.'),
  'a tab': (address) => address.replace('.', '\t.'),
  'user info': (address) => `files.example.com@${address}`,
  'user info and password': (address) => `files.example.com:80@${address}`,
  'empty user info': (address) => `@${address}`,
  'a backslash': (address) => `${address}\\@files.example.com`,
  'a backslash behind': (address) => `files.example.com\\@${address}`,
  'a hash': (address) => `${address}#@files.example.com`,
  'a question mark': (address) => `${address}?@files.example.com/`,
  'port 80': (address) => `${address}:80`,
  'port 443': (address) => `${address}:443`,
  'another port': (address) => `${address}:6379`,
  'a name of a wildcard DNS': (address) => `${address}.nip.example`,
  ...Object.fromEntries(
    Object.entries(EMBEDDINGS).map(([name, embed]) => [name, (text: string) => `[${ipv6Text(embed(toNumber(text)))}]`]),
  ),
  'mapped, dotted': (address) => `[::ffff:${address}]`,
  'with a zone': (address) => `[::ffff:${address}%25eth0]`,
}

const IPV6_HOSTS = `
  [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::127.0.0.1] [::ffff:7f00:1] [fe80::1] [fe80::1%25lo] [fc00::1] [fd00:ec2::254] [fd20:ce::254]
  [fec0::1] [ff02::1] [100::1] [2001:db8::1] [2002:7f00:1::] [3ffe::1] [3fff::1] [64:ff9b::169.254.169.254] [5f00::1] [4000::1]`

const NAMES = `
  localhost LOCALHOST localhost. a.localhost localhost.localdomain ip6-localhost metadata metadata.google.internal instance-data
  kubernetes.default.svc host.docker.internal router.local intranet loc%61lhost ⓛocalhost ｌｏｃａｌｈｏｓｔ`

/** URLs that are refused for any address. */
export const FORBIDDEN_FORMS: string[] = [
  ...`file:///etc/passwd ftp://files.example.com/a gopher://127.0.0.1:6379/_INFO dict://127.0.0.1:11211/ data:text/plain,x blob:http://x/y
  javascript:alert(1) jar:http://127.0.0.1!/ ldap://127.0.0.1/ ws://127.0.0.1/ wss://127.0.0.1/ unix:/run/docker.sock
  http+unix://%2frun%2fdocker.sock/ view-source:http://127.0.0.1/ about:blank //127.0.0.1/ /etc/passwd 127.0.0.1 http:127.0.0.1
  http:/127.0.0.1 http:///127.0.0.1 https:\\\\127.0.0.1 http:\\127.0.0.1 http://127.0.0.1:0 http://127.0.0.1:65536 http://127.0.0.1:-1
  http://files.example.com:8080/ https://files.example.com:22/ http://a:b@files.example.com/ http://@files.example.com/
  http://:@files.example.com/ http://files.example.com%00.evil.example/ http://[::1 http://::1/ http:// https:// http://? http://#`.split(
    /\s+/,
  ),
  ' http://127.0.0.1/',
  'http://127.0.0.1/ ',
  'ht\ntp://127.0.0.1/',
  'http://127.0.0.1/a b',
  'http://127.0.0.1\u0000/',
  'http://127.0.0.1\r\nHost: inside/',
  '\u0001http://127.0.0.1/',
  '',
]

/** A sixth of the edges, and the most attacked addresses. */
const ADDRESSES = [
  ...SPECIAL_IPV4.filter((_, at) => at % 6 === 0),
  ...`127.0.0.1 127.0.0.53 10.0.0.1 172.17.0.1 192.168.1.1 169.254.169.254 169.254.170.2 100.100.100.200 168.63.129.16 192.0.0.192
  0.0.0.0 255.255.255.255`.split(/\s+/),
]

export const URL_VECTORS: string[] = [
  ...new Set([
    ...ADDRESSES.flatMap((address) => Object.values(SPELLINGS).map((spell) => `http://${spell(address)}/file.pdf`)),
    ...[...IPV6_HOSTS.trim().split(/\s+/), ...NAMES.trim().split(/\s+/)].flatMap((host) =>
      ['http', 'https', 'HTTP'].map((scheme) => `${scheme}://${host}/`),
    ),
    ...FORBIDDEN_FORMS,
  ]),
]
