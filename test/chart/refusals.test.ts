import { describe, expect, test } from 'vitest'
import { HELMS, runHelm, TEMPLATE } from './helm.ts'

/** Permits all that the chart requires. */
const EGRESS = { enabled: true, database: [{}], nats: [{}], files: [{}] }

/** An invalid value, as a change of `ci/minimal.yaml`, and the key that the message must name. */
const REFUSED: [key: string, values: object][] = [
  ['hosts.api', { hosts: { api: '' } }],
  ['hosts.api', { hosts: { api: 'https://print.example.com' } }],
  ['hosts.agents', { hosts: { agents: 'agents.example.com/stream' } }],
  ['database.secretName', { database: { secretName: '' } }],
  ['database.connectionsPerReplica', { database: { connectionsPerReplica: 5 } }],
  ['nats.servers', { nats: { servers: [] } }],
  ['nats.servers', { nats: { servers: ['nats://token@nats:4222'] } }],
  ['nats.servers', { nats: { servers: ['nats://nats-0:4222', 'tls://nats-1:4222'] } }],
  ['nats.servers', { nats: { servers: ['nats://10.0.0.1:4222'], caSecretName: 'platen-nats-ca' } }],
  ['nats.secretName', { nats: { secretName: '' } }],
  ['nats.replicas', { nats: { replicas: 2 } }],
  ['nats.auth', { nats: { auth: 'password' } }],
  ['files.url', { files: { url: '' } }],
  ['files.url', { files: { url: 'file:///documents' } }],
  ['files.url', { files: { url: 's3://key:secret@documents' } }],
  ['files.secretName', { files: { secretName: 'platen-secrets' } }],
  ['mail.from', { mail: { secretName: 'platen-mail' } }],
  ['mail.secretName', { mail: { from: 'print@example.com' } }],
  ['jobs.autoscaling.min', { jobs: { autoscaling: { enabled: true, min: 5, max: 4 } } }],
  ['jobs.autoscaling.metrics', { jobs: { autoscaling: { enabled: true, cpu: null } } }],
  ['jobs.terminationGracePeriodSeconds', { jobs: { terminationGracePeriodSeconds: 46 } }],
  ['jobs.preStopSeconds', { jobs: { preStopSeconds: -1 } }],
  ['gateway.resources.limits.memory', { gateway: { resources: { limits: { memory: '575Mi' } } } }],
  ['jobs.resources.limits.memory', { jobs: { resources: { limits: { memory: '1G' } } } }],
  ['jobs.resources.limits.memory', { jobs: { resources: { limits: { memory: '1 GB' } } } }],
  ['testMode.resources.limits.memory', { testMode: { resources: { limits: { memory: '1919Mi' } } } }],
  [
    'networkPolicy.fromNamespaces',
    { networkPolicy: { fromNamespaces: ['gateways'] }, expose: { agentsService: { type: 'LoadBalancer' } } },
  ],
  [
    'networkPolicy.metricsFromNamespaces',
    { networkPolicy: { metricsFromNamespaces: [] }, telemetry: { podMonitor: { enabled: true } } },
  ],
  ['networkPolicy.egress.database', { networkPolicy: { egress: { ...EGRESS, database: [] } } }],
  ['networkPolicy.egress.nats', { networkPolicy: { egress: { ...EGRESS, nats: [] } } }],
  ['networkPolicy.egress.files', { networkPolicy: { egress: { ...EGRESS, files: [] } } }],
  [
    'networkPolicy.egress.telemetry',
    { networkPolicy: { egress: EGRESS }, telemetry: { otlpEndpoint: 'http://collector:4318' } },
  ],
  ['jobs.replicas', { jobs: { replicas: '2' } }],
  ['expose.gatewayApi.parentRefs', { expose: { gatewayApi: { agentsKind: 'GRPCRoute' } } }],
  [
    'expose.gatewayApi.agentsKind',
    { expose: { gatewayApi: { agentsKind: 'GRPCRoute', parentRefs: [{ name: 'a' }] } } },
  ],
  ['settings.PLATEN_TRUSTED_PROXIES', { expose: { ingress: { enabled: true } } }],
  ['settings.PLATEN_TRUSTED_PROXIES', { expose: { gatewayApi: { parentRefs: [{ name: 'a' }] } } }],
  ['telemetry.podMonitor.enabled', { telemetry: { podMonitor: { enabled: true } } }],
  ['telemetry.alerts.enabled', { telemetry: { alerts: { enabled: true }, podMonitor: { enabled: true } } }],
  ['telemetry.podMonitor.enabled', { telemetry: { alerts: { enabled: true } } }],
  ['telemetry.alerts.thresholds', { telemetry: { alerts: { thresholds: { apiSuccessPercent: 100 } } } }],
  ['settings.PLATEN_FETCH_TIMEOUT_SECONDS', { settings: { PLATEN_FETCH_TIMEOUT_SECONDS: 301 } }],
  ['settings.PLATEN_JOB_RETENTION_SECONDS', { settings: { PLATEN_JOB_RETENTION_SECONDS: 604_799 } }],
  ['settings.PLATEN_RPC_KEY', { settings: { PLATEN_RPC_KEY: 'a secret in the values' } }],
  ['migrations.mode', { migrations: { mode: 'none' } }],
  ['image.digest', { image: { digest: 'sha256:abc' } }],
  ['gateway.extraEnv.PROXY', { gateway: { extraEnv: { PROXY: { secretName: 'proxy' } } } }],
  ['gateway.replica', { gateway: { replica: 3 } }],
  ['postgresql', { postgresql: { enabled: true } }],
]

describe.each(HELMS)('%s', (helm) => {
  test.each(REFUSED)('refuses an invalid %s', (key, values) => {
    const { ok, stderr } = runHelm(helm, TEMPLATE, 'minimal.yaml', values)
    const namesKey = (line: string) => key.split('.').every((part) => line.includes(part))
    expect({ ok, named: stderr.split('\n').some(namesKey) }, stderr).toEqual({ ok: false, named: true })
  })

  test.each(['576Mi', '0.6Gi', '604M', 603_979_776, '6.1e8'])(
    'accepts a limit of %s for a gateway, whose processes and service have 576 MiB',
    (memory) => {
      const { ok, stderr } = runHelm(helm, TEMPLATE, 'minimal.yaml', { gateway: { resources: { limits: { memory } } } })
      expect(ok, stderr).toBe(true)
    },
  )

  test('names all problems at once', () => {
    const { stderr } = runHelm(helm, TEMPLATE, 'minimal.yaml', { database: { secretName: '' }, files: { url: '' } })
    expect(stderr).toMatch(/database\.secretName is empty.*\n.*files\.url is empty/)
  })
})
