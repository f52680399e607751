import { type Entry, entries } from '../entry.ts'
import {
  badUrl,
  byUrl,
  fetches,
  fetchFails,
  fetchFile,
  ONLY_PUBLIC,
  publicNetwork,
  wholeFetch,
  withoutUpload,
} from '../named-tests.ts'

export const FETCHES: Entry[] = [
  ...entries('specification: Print jobs', [
    ['url.http', 'An `http` URL is accepted.', byUrl('a URL may have port 443')],
    [
      'url.https',
      'An `https` URL is accepted.',
      byUrl('a URL may have port 80'),
      fetchFile('a file > comes by TLS from the host that its certificate names'),
    ],
    ['url.scheme', 'Any other scheme is 422 `invalid_content_url`.', badUrl('its scheme is another')],
    ['url.2048', 'A URL of 2048 characters is accepted.', byUrl('a URL may have 2048 characters')],
    ['url.2049', 'A URL of 2049 characters is 422 `invalid_content_url`.', badUrl('it has 2049 characters')],
    ['url.port.80', 'Port 80 is accepted.', byUrl('a URL may have port 80')],
    ['url.port.443', 'Port 443 is accepted.', byUrl('a URL may have port 443')],
    ['url.port.other', 'Any other port is 422 `invalid_content_url`.', badUrl('its port is another')],
    [
      'url.private',
      'A URL with a private address is 422 `invalid_content_url`.',
      badUrl('its address is private'),
      wholeFetch('only networks that the operator allowed are open beside the public ones'),
    ],
    [
      'fetch.once',
      'The file is fetched once, right after the creation.',
      fetches('a document is fetched once, right after the creation, and is kept with its size and digest'),
      withoutUpload(
        'with an Idempotency-Key makes one job, and is replayed: > a URL is fetched once for all its replays',
      ),
    ],
    [
      'fetch.kept',
      'The fetched file is kept for the job, with its size and digest.',
      fetches('a document is fetched once, right after the creation, and is kept with its size and digest'),
      withoutUpload('a document at a URL is fetched right after the creation, and shown with its size and digest'),
    ],
    ['fetch.redirect', 'A redirect is not followed; the job ends in `error`.', fetchFails('the server redirects')],
    [
      'fetch.status',
      'An error status ends the job in `error`.',
      fetchFails('the server answers 404'),
      fetchFails('the server answers 500'),
    ],
    [
      'fetch.unreachable',
      'A server that cannot be reached ends the job in `error`.',
      fetchFails('the server cannot be reached'),
    ],
    [
      'fetch.29s',
      'A fetch that takes just under 30 s succeeds.',
      fetches(
        'PLATEN_FETCH_TIMEOUT_SECONDS and PLATEN_FILE_RETENTION_SECONDS > are 30 seconds, an hour and 7 days by default',
      ),
      fetchFile('a file > that takes nearly the whole deadline is taken'),
    ],
    [
      'fetch.30s',
      'A fetch that takes longer than 30 s ends the job in `error`.',
      fetches(
        'PLATEN_FETCH_TIMEOUT_SECONDS and PLATEN_FILE_RETENTION_SECONDS > are 30 seconds, an hour and 7 days by default',
      ),
      fetchFails('the server says nothing'),
    ],
    ['fetch.25MB', 'A fetched file of 26,214,400 bytes is accepted.', fetches('a file of 25 MB is kept')],
    [
      'fetch.25MB+1',
      'A fetched file of 26,214,401 bytes ends the job in `error`.',
      fetchFails('the file has 25 MB + 1 byte'),
    ],
    [
      'fetch.authentication',
      'The credentials are sent as HTTP Basic.',
      fetches('the credentials are sent as HTTP Basic, in UTF-8'),
    ],
    [
      'fetch.credentials.forgotten',
      'URL and credentials are gone once the file is fetched.',
      fetches(
        'URL and credentials > are in no table that can be read, and gone with the end of the fetch, whether it succeeds or fails',
      ),
    ],
    [
      'fetch.credentials.1h',
      'URL and credentials are held at most 1 hour.',
      fetches('URL and credentials > are held for 55 of the 60 minutes: then they are gone, and the job ends in error'),
    ],
    [
      'fetch.credentials.stored',
      'URL and credentials are not stored with the job.',
      fetches(
        'URL and credentials > are in no table that can be read, and gone with the end of the fetch, whether it succeeds or fails',
      ),
      wholeFetch('URL and credentials are in no job, event, log or span, also where something failed'),
    ],
    [
      'fetch.credentials.logged',
      'URL and credentials are not logged.',
      wholeFetch('URL and credentials are in no job, event, log or span, also where something failed'),
    ],
  ]),
  ...entries('decisions: Jobs', [
    [
      'url.unresolvable',
      'A host that does not resolve is 422 `invalid_content_url`.',
      badUrl('its host does not resolve'),
    ],
    ['url.user-info', 'User info in the URL is 422 `invalid_content_url`.', badUrl('it has user info')],
    ['fetch.encoding', 'A content encoding ends the job in `error`.', fetchFails('the server packs the file')],
    [
      'fetch.marker',
      'A fetched PDF without the marker ends the job in `error`.',
      fetchFails('the file is no PDF'),
      fetchFails('the file is shorter than the marker'),
    ],
    [
      'fetch.raw.no-marker',
      'Fetched raw data need no marker.',
      fetches('raw data need no marker, and obey all other rules'),
    ],
    [
      'fetch.raw.rules',
      '`raw_uri` obeys all other rules of `pdf_uri`.',
      fetches('raw data need no marker, and obey all other rules'),
    ],
    [
      'fetch.pinned',
      'A fetch connects only to the address that was checked.',
      publicNetwork(
        'connections > a fetch connects to the address that was checked: a host is looked up once, and a second answer is not asked for',
      ),
    ],
    [
      'fetch.whole',
      'The 30 s are for the whole fetch, also when bytes trickle in.',
      fetchFails('the file trickles in'),
      fetchFile('a hostile server costs no more than its deadline, and ends in a failure, when it > drips the body'),
    ],
    ['blocked.loopback', 'Loopback addresses are blocked.', ...ONLY_PUBLIC],
    ['blocked.private', 'Private addresses are blocked.', ...ONLY_PUBLIC],
    ['blocked.link-local', 'Link-local addresses are blocked.', ...ONLY_PUBLIC],
    ['blocked.cgnat', 'CGNAT addresses are blocked.', ...ONLY_PUBLIC],
    ['blocked.multicast', 'Multicast addresses are blocked.', ...ONLY_PUBLIC],
    ['blocked.reserved', 'Reserved addresses are blocked.', ...ONLY_PUBLIC],
    ['blocked.documentation', 'Documentation addresses are blocked.', ...ONLY_PUBLIC],
    ['blocked.metadata', 'Metadata addresses are blocked.', ...ONLY_PUBLIC],
    ['blocked.ipv4', 'They are blocked as IPv4.', ...ONLY_PUBLIC],
    ['blocked.ipv6', 'They are blocked as IPv6.', ...ONLY_PUBLIC],
    ['blocked.ipv4-mapped', 'They are blocked as IPv4-mapped IPv6.', ...ONLY_PUBLIC],
    ['blocked.nat64', 'They are blocked as NAT64.', ...ONLY_PUBLIC],
    ['blocked.6to4', 'They are blocked as 6to4.', ...ONLY_PUBLIC],
    [
      'allowed.cidr',
      'An operator can allow CIDR ranges of its own network.',
      publicNetwork('connections > networks that the operator allowed are connected to, and no others'),
      wholeFetch('only networks that the operator allowed are open beside the public ones'),
    ],
    [
      'allowed.default',
      'None is allowed by default.',
      publicNetwork('PLATEN_ALLOWED_NETWORKS > opens nothing when it is not set or empty'),
    ],
  ]),
]
