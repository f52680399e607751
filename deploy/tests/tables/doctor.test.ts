/** What `platen-server doctor` concludes from the answers of replicas. */
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { DiagnoseResponseSchema, type ReportSchema } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import { describe, expect, test } from 'vitest'
import type { Asked, NoAnswer } from '../../commands/doctor/ask-replicas.ts'
import { render } from '../../commands/doctor/finding.ts'
import { toFindings } from '../../commands/doctor/findings.ts'
import { toCertificateFinding } from '../../commands/doctor/public.ts'

type Report = Omit<MessageInitShape<typeof ReportSchema>, '$typeName'>

interface Replica extends Report {
  service: string
  instance?: string
  release?: string
  /** The difference of its clock. */
  aheadMs?: number
  /** From the request to the response, of which the replica worked all but 200 ms. */
  tookMs?: number
}

const NOW_MS = Date.UTC(2026, 0, 1)
const NETWORK_MS = 100
const HOUR_MS = 3_600_000

function ask({ instance = 'a', release = '1.0.0', aheadMs = 0, tookMs = 300, ...report }: Replica): Asked {
  const at = (ms: number) => timestampFromMs(NOW_MS + aheadMs + ms)
  const response = create(DiagnoseResponseSchema, {
    release,
    instance: `${report.service}-${instance}`,
    receivedAt: at(NETWORK_MS),
    answeredAt: at(tookMs - NETWORK_MS),
    reports: [report],
  })
  const answer = { response, sentAtMs: NOW_MS, receivedAtMs: NOW_MS + tookMs }
  return { services: [report.service], address: `${report.service}-${instance}:9464`, answer }
}

const database = (changes: Report['database'] = {}) => ({
  serverVersion: '18.4 (Debian 18.4-1)',
  systemIdentifier: '1',
  tls: true,
  maxConnections: 36,
  connections: 13,
  knownMigration: '002',
  appliedMigration: '002',
  ...changes,
})
const nats = (changes: Report['nats'] = {}) => ({
  serverVersion: '2.12.1',
  serverName: 'n1',
  cluster: 'c',
  servers: 3,
  ...changes,
})
const stream = { name: 'S', replicas: 3, currentReplicas: 3, wantedReplicas: 3 }
const secret = (...keys: number[]) => ({
  setting: 'PLATEN_FETCH_KEY',
  fingerprints: keys.map((key) => Uint8Array.of(key)),
})

const find = (...asked: Asked[]) => toFindings(asked).map(render)
const findProblems = (...asked: Asked[]) => find(...asked).filter((line) => !line.startsWith('ok  '))

const WELL: Replica[] = [
  {
    service: 'jobs',
    secrets: [secret(1, 2)],
    database: database(),
    nats: nats(),
    fileStore: { kind: 's3' },
    oldestWaitingSeconds: 35.4,
    databaseSize: { bytes: 8_000_000_000n, maxBytes: 80_000_000_000n },
    lastBackup: { madeAt: timestampFromMs(Date.now() - 5.5 * HOUR_MS) },
  },
  { service: 'devices', database: database({ connections: 8 }), nats: nats({ serverName: 'n2' }), connectedAgents: 3 },
  { service: 'devices', instance: 'b', secrets: [secret(1, 2)], fileStore: { kind: 's3' }, connectedAgents: 4 },
  {
    service: 'webhooks',
    nats: nats({ serverName: 'n3' }),
    streams: [stream],
    mail: { destination: 'SMTP server mail.example.com' },
  },
  { service: 'gateway', agentPackages: { version: '1.0.0', platforms: ['linux', 'windows'] } },
]

test('an installation that is well has a line for each fact', () => {
  expect(find(...WELL.map(ask))).toEqual([
    'ok  replicas that responded: jobs 1, devices 2, webhooks 1, gateway 1',
    'ok  release 1.0.0 on all replicas',
    'ok  clocks differ by less than 1 s',
    'ok  equal secrets on all replicas: PLATEN_FETCH_KEY',
    'ok  PostgreSQL 18.4 with TLS',
    'ok  max_connections of PostgreSQL is 36, needed are 31',
    'ok  schemas are migrated',
    'ok  database: 8.0 GB, 10 % of PLATEN_DATABASE_MAX_BYTES',
    'ok  last backup: 5 h ago',
    'ok  NATS 2.12.1, servers: 3',
    'ok  stream S: copies 3',
    'ok  document store (s3): write, read and delete, 2 times',
    'ok  mail: SMTP server mail.example.com',
    'ok  packages of the agent 1.0.0: linux, windows',
    'ok  connected agents: 7',
    'ok  the oldest queued job has waited for 35 s',
  ])
})

test('an installation without mails, packages and a limit of the database has a line for each, and no problem', () => {
  const lines = find(
    ask({ service: 'jobs', databaseSize: { bytes: 50_000_000n, maxBytes: 0n } }),
    ask({ service: 'accounts', mail: { destination: 'not sent, because PLATEN_SMTP_URL is not set' } }),
    ask({ service: 'gateway', agentPackages: { version: '' } }),
  )
  expect(lines).toEqual(
    expect.arrayContaining([
      'ok  database: 0.1 GB, without a limit by PLATEN_DATABASE_MAX_BYTES',
      'ok  mail: not sent, because PLATEN_SMTP_URL is not set',
      'ok  no packages of the agent: docs/agent-packages.md',
    ]),
  )
})

test.each([
  [26, 'ok  last backup: 26 h ago'],
  [27, '!!  last backup: 27 h ago: See the log'],
  [-1, 'ok  last backup: 0 h ago'],
  [undefined, 'ok  last backup: not recorded, see docs/operations/backup.md'],
])('a backup that was recorded %s hours ago: %s', (hours, line) => {
  const madeAt = hours === undefined ? {} : { madeAt: timestampFromMs(Date.now() - hours * HOUR_MS) }
  const lines = find(ask({ service: 'jobs', lastBackup: madeAt }))
  expect(lines.filter((one) => one.includes('last backup'))).toEqual([expect.stringContaining(line)])
})

test.each([
  [13.9, '!!  the certificate of print.example.com ends in 13 days: Renew it'],
  [14, 'ok  the certificate of print.example.com ends in 14 days'],
  [-1, '!!  the certificate of print.example.com ends in -1 days: Renew it'],
])('a certificate that ends in %s days: %s', (days, line) => {
  const now = new Date(NOW_MS)
  const end = new Date(NOW_MS + days * 86_400_000)
  expect(render(toCertificateFinding('print.example.com', end, now))).toContain(line)
})

test.each([
  ['one token', ['token', 'token', 'token'], ['(token) for jobs, devices']],
  ['a user for each service', ['platen_jobs', 'platen_devices', 'platen_devices'], []],
  ['credentials files', ['', '', ''], []],
])('services with the same credential of NATS are named, which is no problem: %s', (_, credentials, shared) => {
  const services = ['jobs', 'devices', 'devices']
  const lines = find(
    ...services.map((service, n) =>
      ask({ service, instance: String(n), nats: nats({ servers: 1, credential: credentials[n] ?? '' }) }),
    ),
  )
  expect(lines.filter((line) => line.includes('credential'))).toEqual(
    shared.map(
      (text) => `ok  one credential of NATS ${text}; each can have a user: docs/operations/nats-permissions.md`,
    ),
  )
})

test('a process with two addresses is one replica', () => {
  const asked = ask({ service: 'jobs', database: database({ maxConnections: 23 }) })
  const lines = find(asked, { ...asked, address: '[::1]:9464' })
  expect(lines).toContain('ok  max_connections of PostgreSQL is 23, needed are 23')
})

const HEALTHY: Replica = { service: 'accounts' }

describe('a finding with its remedy', () => {
  test.each<[string, Replica[], string[]]>([
    [
      'secrets that differ',
      [
        { service: 'jobs', secrets: [secret(1)] },
        { service: 'jobs', instance: 'b', secrets: [secret(2)] },
      ],
      [
        '!!  PLATEN_FETCH_KEY is not the same on all replicas: jobs (jobs-a) differ from jobs (jobs-b): Give all of them the same value, with its keys in the same order, and restart those that were started with another one.',
      ],
    ],
    [
      'lists of keys with another order',
      [
        { service: 'jobs', secrets: [secret(1, 2)] },
        { service: 'jobs', instance: 'b', secrets: [secret(2, 1)] },
      ],
      [expect.stringMatching(/^!! {2}PLATEN_FETCH_KEY is not the same on all replicas: .*: Give all of them/)],
    ],
    [
      'clocks',
      [
        { service: 'jobs', aheadMs: 900 },
        { service: 'jobs', instance: 'b', aheadMs: -400 },
      ],
      ['!!  the clock of jobs-a is 1.1 s ahead of that of jobs-b: Synchronize the clocks of these machines by NTP.'],
    ],
    ['clocks that a slow network can explain', [{ service: 'jobs', aheadMs: 1_050 }], []],
    [
      'clocks of a replica that works for long',
      [{ service: 'jobs', aheadMs: 1_101, tookMs: 3_000 }],
      [
        '!!  the clock of jobs-a is 1.0 s ahead of that of this machine: Synchronize the clocks of these machines by NTP.',
      ],
    ],
    [
      'releases',
      [{ service: 'jobs' }, { service: 'jobs', instance: 'b', release: '1.1.0' }],
      [
        '!!  several releases run: 1.0.0 on accounts (accounts-a), jobs (jobs-a); 1.1.0 on jobs (jobs-b): Complete the upgrade or the rollback. If none is in progress, restart the replicas of the other release.',
      ],
    ],
    [
      'one connection too few',
      [
        { service: 'jobs', database: database({ maxConnections: 35 }) },
        { service: 'jobs', instance: 'b', database: database({ maxConnections: 35 }) },
      ],
      [
        '!!  max_connections of PostgreSQL is 35, needed are 36: Set max_connections to 36 or more, or lower PLATEN_DATABASE_CONNECTIONS.',
      ],
    ],
    [
      'servers of their own, whose connections are counted separately',
      [
        { service: 'jobs', database: database({ maxConnections: 23 }) },
        { service: 'usage', database: database({ maxConnections: 23, systemIdentifier: '2' }) },
      ],
      [],
    ],
    [
      'TLS of some replicas',
      [
        { service: 'jobs', database: database() },
        { service: 'usage', database: database({ tls: false }) },
      ],
      [
        '!!  usage (usage-a) use PostgreSQL without TLS, and the other replicas with it: Set PLATEN_DATABASE_CA_FILE, or sslmode in PLATEN_DATABASE_URL, of all services.',
      ],
    ],
    [
      'an old PostgreSQL',
      [{ service: 'jobs', database: database({ serverVersion: '17.9' }) }],
      ['!!  PostgreSQL 17.9 is too old: Upgrade it to 18.'],
    ],
    [
      'a database that is nearly full',
      [{ service: 'jobs', databaseSize: { bytes: 9n, maxBytes: 10n } }],
      [
        '!!  database: 0.0 GB, 90 % of PLATEN_DATABASE_MAX_BYTES: Enlarge the disk and the setting, or store documents for a shorter time; at 100 % creations end.',
      ],
    ],
    [
      'a mail server that does not answer',
      [{ service: 'accounts', failures: [{ part: 'mail', error: 'connecting to mail.example.com failed (ESOCKET)' }] }],
      [expect.stringMatching(/^!! {2}mail: connecting to .* on accounts \(accounts-a\): Check PLATEN_SMTP_URL/)],
    ],
    [
      'a pending migration',
      [{ service: 'jobs', database: database({ appliedMigration: '001' }) }],
      ['!!  the schema is older than the release of jobs (jobs-a): Run `platen-server migrate`.'],
    ],
    ['the schema of a later release', [{ service: 'jobs', database: database({ appliedMigration: '003' }) }], []],
    [
      'an old NATS',
      [{ service: 'jobs', nats: nats({ serverVersion: '2.8.4' }) }],
      ['!!  NATS 2.8.4 is too old: Upgrade it to 2.9.0 or newer.'],
    ],
    [
      'nats-servers that are not a cluster',
      [
        { service: 'jobs', nats: nats({ servers: 1, cluster: '' }) },
        { service: 'jobs', instance: 'b', nats: nats({ servers: 1, cluster: '', serverName: 'n2' }) },
      ],
      [
        '!!  replicas are connected to 2 nats-servers or clusters that do not know each other: Connect the servers by routes, or set PLATEN_NATS_URL of all services to one of them.',
      ],
    ],
    [
      'one copy of a stream with three servers',
      [
        {
          service: 'webhooks',
          nats: nats(),
          streams: [{ ...stream, replicas: 1, currentReplicas: 1, wantedReplicas: 1 }],
        },
      ],
      [
        '!!  stream S: copies 1, although NATS has 3 servers: Set PLATEN_NATS_REPLICAS to 3 and restart the services one by one.',
      ],
    ],
    [
      'one copy of a stream with two servers',
      [
        {
          service: 'webhooks',
          nats: nats({ servers: 2 }),
          streams: [{ ...stream, replicas: 1, currentReplicas: 1, wantedReplicas: 1 }],
        },
      ],
      [],
    ],
    [
      'fewer copies than the setting',
      [{ service: 'webhooks', nats: nats(), streams: [{ ...stream, replicas: 1, currentReplicas: 1 }] }],
      [
        '!!  stream S: copies 1, but PLATEN_NATS_REPLICAS is 3: Run 3 nats-servers as a cluster, then restart the services.',
      ],
    ],
    [
      'a copy that is behind',
      [{ service: 'webhooks', nats: nats(), streams: [{ ...stream, currentReplicas: 2 }] }],
      [
        '!!  stream S: only 2 of 3 copies are up to date: Start the nats-server that is missing, and wait until it has caught up.',
      ],
    ],
    [
      'different document stores',
      [
        { service: 'jobs', fileStore: { kind: 's3' } },
        { service: 'devices', fileStore: { kind: 'nats' } },
      ],
      [
        '!!  replicas have different document stores: s3 on jobs (jobs-a); nats on devices (devices-a): Set PLATEN_FILE_STORE_URL of gateway, jobs and devices to the same store.',
      ],
    ],
    [
      'a part that fails on two replicas',
      ['jobs', 'devices'].map((service) => ({
        service,
        failures: [{ part: 'document store', error: 'write failed: Access Denied' }],
      })),
      [
        '!!  document store: write failed: Access Denied, on jobs (jobs-a), devices (devices-a): Check PLATEN_FILE_STORE_URL, its credentials and permissions, and the free space.',
      ],
    ],
  ])('%s', (_, replicas, lines) => {
    expect(findProblems(...[HEALTHY, ...replicas].map(ask))).toEqual(lines)
  })

  test.each<[NoAnswer['why'], string]>([
    [
      'no address',
      '!!  jobs: the name host:1 has no address (two lines.): Start a replica, or correct PLATEN_OPS_URL of this command.',
    ],
    [
      'silent',
      '!!  jobs at host:1 does not respond: See its log. A service starts when its database and NATS are reachable and `platen-server migrate` has run.',
    ],
    [
      'other secret',
      '!!  jobs at host:1 refuses the secret of this command: Give it the SHA-256 of PLATEN_OPERATOR_SECRET as PLATEN_OPERATOR_SECRET_SHA256, and restart it.',
    ],
    [
      'not served',
      expect.stringMatching(
        /^!! {2}jobs at host:1 does not accept the calls of operators: Set its PLATEN_OPERATOR_SECRET_SHA256, .* older than \d+\.\d+\.\d+\S*\.$/,
      ),
    ],
    ['defect', '!!  jobs at host:1 failed to answer: two lines: See its log.'],
  ])('no answer: %s', (why, line) => {
    const jobs = { services: ['jobs'], address: 'host:1', answer: { why, error: 'two\nlines.' } }
    expect(findProblems(jobs, ask(HEALTHY))).toEqual([line])
    expect(find(jobs)).toEqual([line])
  })

  test('a URL that leads to another service', () => {
    const wrong = { ...ask({ service: 'devices' }), services: ['jobs'] }
    expect(findProblems(wrong)).toEqual([
      '!!  PLATEN_OPS_URL of jobs leads to devices at devices-a:9464: Correct it. Its `*` stands for the name of the service.',
    ])
  })
})
