/** Rules over the rendered objects of each file in `ci`. */
import { toSecretData } from '@platen/deploy/commands/create-secrets/manifest.ts'
import { createSecrets } from '@platen/deploy/launcher/secrets.ts'
import { NATS_SERVICES } from '@platen/proto/nats-permissions.ts'
import { isInNetwork } from '@platen/runtime/fetch/public-address.ts'
import { CALLING_SERVICES } from '@platen/runtime/rpc/callers.ts'
import { describe, expect, test } from 'vitest'
import { SERVICES } from '../../helm/generate.ts'
import { CI_FILES, getPods, type KubernetesObject, type Pod, renderObjects } from './helm.ts'

type Labels = Record<string, string>

const SECRET_DATA = toSecretData(createSecrets())

const toPorts = ({ ports = [] }: KubernetesObject) => ports.map(({ name }: KubernetesObject) => name)

const KINDS = [
  'ConfigMap', // an extra object
  'Deployment',
  'GRPCRoute',
  'HTTPRoute',
  'HorizontalPodAutoscaler',
  'Ingress',
  'Job',
  'NetworkPolicy',
  'Pod',
  'PodDisruptionBudget',
  'PodMonitor',
  'PrometheusRule',
  'Service',
  'ServiceAccount',
  'StatefulSet',
]

/** A Secret, ConfigMap or volume claim in the JSON of a pod, or the host of a URL. */
const REFERENCE =
  /"(?:secretName|claimName|(?:secret|configMap)(?:Key)?Ref":\{(?:"key":"[^"]+",)?"name)":"([^"]+)"|http:\/\/([a-z0-9-]+):/g

describe.each(CI_FILES)('%s', (file) => {
  const objects = renderObjects(file)
  const pods = getPods(objects)
  const ofKind = (kind: string) => objects.filter((object) => object.kind === kind)
  const matching = (selector: Labels) =>
    pods.filter(({ labels }) => Object.entries(selector).every(([key, value]) => labels[key] === value))

  test('holds no Secret, no role and nothing outside of the namespace', () => {
    expect(KINDS).toEqual(expect.arrayContaining(objects.map(({ kind }) => kind)))
  })

  test('no object is rendered twice', () => {
    const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
    expect(names).toEqual([...new Set(names)])
  })

  test('each workload selects its own pods alone', () => {
    for (const owner of [...ofKind('Deployment'), ...ofKind('StatefulSet')])
      expect(matching(owner.spec.selector.matchLabels).map((pod) => pod.owner)).toEqual([owner])
  })

  test('clients between the services find a pod whose container restarts at once, without DNS', () => {
    const ofRpc = ofKind('Service').filter(({ spec }) => spec.clusterIP === 'None' && toPorts(spec).includes('rpc'))
    expect(ofRpc.map(({ spec }) => spec.publishNotReadyAddresses)).toEqual(ofRpc.map(() => true))
    expect(ofRpc.length).toBeGreaterThan(0)
  })

  test('each Service, PodDisruptionBudget, NetworkPolicy and PodMonitor selects pods that have its ports', () => {
    for (const { spec, kind, metadata } of objects) {
      const selector = kind === 'Service' ? spec.selector : (spec?.podSelector ?? spec?.selector)?.matchLabels
      if (!['Service', 'PodDisruptionBudget', 'NetworkPolicy', 'PodMonitor'].includes(kind)) continue
      const selected = matching(selector)
      // Without migrations their NetworkPolicy waits for a pod.
      if (!metadata.name.endsWith('-migrate')) expect(selected, metadata.name).not.toEqual([])
      for (const port of toPortNames(kind, spec))
        for (const { container, role } of selected.filter(({ container }) => container.ports))
          expect(container.ports, `${role}: ${port}`).toContainEqual(expect.objectContaining({ name: port }))
    }
  })

  test('each pod has a NetworkPolicy, unless they are disabled', () => {
    if (file === 'extra-objects.yaml') return expect(ofKind('NetworkPolicy')).toEqual([])
    const covered = ofKind('NetworkPolicy').flatMap(({ spec }) => matching(spec.podSelector.matchLabels))
    expect(covered.map(({ role }) => role).toSorted()).toEqual(pods.map(({ role }) => role).toSorted())
  })

  test('the RPC port of a component admits the components that call it, and no other pods', () => {
    for (const { metadata, spec } of ofKind('NetworkPolicy')) {
      const rule = spec.ingress.find(({ ports }: KubernetesObject) => ports[0].port === 'rpc')
      if (!rule) continue
      const name = spec.podSelector.matchLabels['app.kubernetes.io/component']
      const isCaller = ({ container }: Pod) =>
        container.env.some((variable: Labels) => variable.name === `PLATEN_${name.toUpperCase()}_URL`)
      expect(listPeers(rule.from, pods), metadata.name).toEqual(toRoles(pods.filter(isCaller)))
    }
  })

  test('the operations port admits the pods of operators and the namespaces that are named, and no other pods', () => {
    const named = ['gateway-api.yaml', 'policies.yaml', '../examples/cnpg-nats-s3.values.yaml'].includes(file)
    const operators = pods.filter(({ role }) => ['operator', 'selftest'].includes(role))
    const peers = [...(named ? ['monitoring'] : []), ...toRoles(operators)]
    for (const { metadata, spec } of ofKind('NetworkPolicy'))
      for (const { ports, from = [] } of spec.ingress)
        if (ports[0].port === 'ops') expect(listPeers(from, pods), metadata.name).toEqual(peers)
  })

  test('each component with several pods, and no other, has a PodDisruptionBudget', () => {
    const several = ofKind('Deployment').filter(({ spec, metadata }) => {
      const scaler = ofKind('HorizontalPodAutoscaler').find((object) => object.metadata.name === metadata.name)
      return (spec.replicas ?? scaler?.spec.minReplicas) > 1
    })
    const budgets = ofKind('PodDisruptionBudget').map(({ metadata }) => metadata.name)
    expect(budgets.toSorted()).toEqual(several.map(({ metadata }) => metadata.name).toSorted())
  })

  test('each autoscaler has a Deployment, whose number of replicas is left to it', () => {
    for (const { spec } of ofKind('HorizontalPodAutoscaler')) {
      const target = ofKind('Deployment').find(({ metadata }) => metadata.name === spec.scaleTargetRef.name)
      expect(target).toBeDefined()
      expect(target?.spec).not.toHaveProperty('replicas')
    }
  })

  test('each route leads to a port of a Service', () => {
    const backends = [
      ...[...ofKind('HTTPRoute'), ...ofKind('GRPCRoute')]
        .flatMap(({ spec }) => spec.rules)
        .flatMap((r) => r.backendRefs),
      ...ofKind('Ingress').map(({ spec }) => spec.rules[0].http.paths[0].backend.service),
    ]
    const ports = ofKind('Service').flatMap(({ metadata, spec }) =>
      (spec.ports ?? []).flatMap((port: { port: number; name: string }) => [
        `${metadata.name}:${port.port}`,
        `${metadata.name}:${port.name}`,
      ]),
    )
    expect(ports).toEqual(expect.arrayContaining(backends.map(({ name, port }) => `${name}:${port.name ?? port}`)))
    // So do the URLs by which components and operators call them.
    const urls = pods
      .flatMap(({ container }) => container.env)
      .map(({ value }) => /^http:\/\/(platen-.+)$/.exec(value)?.[1])
      .filter((url) => url !== undefined)
      .flatMap((url) => (url.includes('*') ? SERVICES.map((service) => url.replace('*', service)) : [url]))
    expect(ports).toEqual(expect.arrayContaining(urls))
  })

  const eachPod = (rule: string, check: (pod: Pod) => void) =>
    test(`each pod ${rule}`, () => {
      for (const pod of pods) expect(() => check(pod), pod.role).not.toThrow()
    })

  eachPod(
    'satisfies the Pod Security Standard `restricted`, with a read-only root file system and no token',
    ({ spec, container }) => {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
      })
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(spec.containers).toHaveLength(1)
      for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers'])
        expect(spec).not.toHaveProperty(field)
      for (const { name: _, ...volume } of spec.volumes)
        expect(['emptyDir', 'persistentVolumeClaim', 'secret']).toContain(Object.keys(volume)[0])
    },
  )

  eachPod('mounts exactly its volumes, and limits its memory', ({ spec, container, owner }) => {
    const claims = owner.spec.volumeClaimTemplates?.map(({ metadata }: KubernetesObject) => metadata.name) ?? []
    const volumes = [...claims, ...spec.volumes.map(({ name }: { name: string }) => name)]
    expect(container.volumeMounts.map(({ name }: { name: string }) => name).toSorted()).toEqual(volumes.toSorted())
    expect(container.resources).toMatchObject({
      requests: { memory: expect.anything() },
      limits: { memory: expect.anything() },
    })
  })

  eachPod('has each variable once, after the variables to which it refers', ({ container }) => {
    const names: string[] = container.env.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...new Set(names)])
    for (const { name, value = '' } of container.env)
      for (const [, used = ''] of value.matchAll(/\$\((\w+)\)/g))
        expect(names.slice(0, names.indexOf(name))).toContain(used)
  })

  eachPod('takes credentials from Secrets only', ({ container }) => {
    for (const { name, value } of container.env) {
      if (value === undefined) continue
      expect(name).not.toMatch(/(SECRET|TOKEN|USER|PASSWORD|_KEY|DATABASE_URL|SMTP_URL|CREDENTIALS)$/)
      expect(value).not.toMatch(/\/\/[^/]*@/)
    }
  })

  eachPod('has either the secret of operators or, if it serves them, its digest', ({ container }) => {
    const keys = container.env.map(({ valueFrom }: KubernetesObject) => valueFrom?.secretKeyRef?.key)
    const held = ['operatorSecret', 'operatorSecretSha256'].filter((key) => keys.includes(key))
    if (container.ports) expect(held).toEqual(['operatorSecretSha256'])
    else expect(held).toEqual(container.args?.[0] === 'migrate' ? [] : ['operatorSecret'])
  })

  eachPod(
    'has keys that `platen-server create-secrets` prints, and if it calls services its own key',
    ({ container, role }) => {
      const refs = container.env.flatMap(({ valueFrom }: KubernetesObject) => valueFrom?.secretKeyRef ?? [])
      const secretName = file === 'extra-objects.yaml' ? 'print-keys' : 'platen-secrets'
      const keys = refs.filter(({ name }: Labels) => name === secretName).map(({ key }: Labels) => key)
      expect(Object.keys(SECRET_DATA)).toEqual(expect.arrayContaining(keys))
      const isCaller = CALLING_SERVICES.includes(role)
      expect(keys.filter((key: string) => key.startsWith('rpcKey-'))).toEqual(isCaller ? [`rpcKey-${role}`] : [])
      expect(keys.includes('rpcCallers')).toBe(toPorts(container).includes('rpc'))
    },
  )

  eachPod('stops before it is killed: the time of `preStop`, the drain time, and 2 s', ({ spec, container }) => {
    const drain = container.env.find(({ name }: { name: string }) => name === 'PLATEN_DRAIN_SECONDS')?.value
    const seconds = (container.lifecycle?.preStop.sleep.seconds ?? 0) + Number(drain ?? 0) + 2
    // The pod of operators only sleeps.
    const isSleeping = container.command?.[0] === 'sleep'
    expect(spec.terminationGracePeriodSeconds).toBe(isSleeping ? 1 : drain === undefined ? undefined : seconds)
  })

  eachPod('to which others connect serves on for longer than the TTL of DNS, by default 30 s', ({ container }) => {
    const ports = container.ports?.filter(({ name }: { name: string }) => name !== 'ops') ?? []
    expect(container.lifecycle?.preStop.sleep.seconds).toBe(ports.length > 0 ? 35 : undefined)
  })

  eachPod('of a Deployment is spread among the pods of its revision only', ({ spec, owner }) => {
    for (const { matchLabelKeys } of spec.topologySpreadConstraints ?? [])
      expect(matchLabelKeys).toEqual(owner.kind === 'Deployment' ? ['pod-template-hash'] : undefined)
  })

  eachPod('that runs before an installation refers to nothing that the chart creates', ({ spec, owner }) => {
    if (!owner.metadata.annotations?.['helm.sh/hook']?.includes('pre-install')) return
    const used = [...JSON.stringify(spec).matchAll(REFERENCE)].map(([, object, host]) => object ?? host)
    const created = objects.map(({ metadata }) => metadata.name).filter((name) => used.includes(name))
    expect({ used: used.length > 0, created }).toEqual({ used: true, created: [] })
    expect(spec).not.toHaveProperty('serviceAccountName')
  })
})

test('with a `*` in the name of the Secret, a service has the URL of its own role in PostgreSQL, and only migrations have all', () => {
  const databases = getPods(renderObjects('tls.yaml')).map(({ role, container }) => {
    const variables = container.env.filter(({ name }: Labels) => name?.startsWith('PLATEN_DATABASE_URL'))
    return [role, variables.map((one: KubernetesObject) => `${one.name} ${one.valueFrom.secretKeyRef.name}`).sort()]
  })
  const services = ['accounts', 'devices', 'jobs', 'usage', 'webhooks']
  expect(Object.fromEntries(databases.filter(([, { length }]) => length > 0))).toEqual({
    ...Object.fromEntries(services.map((name) => [name, [`PLATEN_DATABASE_URL platen-database-${name}`]])),
    migrate: services.map((name) => `PLATEN_DATABASE_URL_${name.toUpperCase()} platen-database-${name}`),
  })
})

test.each([
  ['user', (name: string) => [`PLATEN_NATS_PASSWORD platen-nats-${name}`, `PLATEN_NATS_USER platen-nats-${name}`]],
  ['creds', (name: string) => [`mounted platen-nats-${name}`]],
])('with a `*` in the name of the Secret, a service has the credential of its own user in NATS: %s', (auth, toOwn) => {
  const pods = getPods(renderObjects('minimal.yaml', { nats: { auth, secretName: 'platen-nats-*' } }))
  const credentials = pods.map(({ role, spec, container }) => {
    const own: string[] = [
      ...container.env
        .filter(({ valueFrom }: KubernetesObject) => valueFrom?.secretKeyRef?.name.startsWith('platen-nats'))
        .map((one: KubernetesObject) => `${one.name} ${one.valueFrom.secretKeyRef.name}`)
        .sort(),
      ...(spec.volumes ?? [])
        .filter(({ secret }: KubernetesObject) => secret?.secretName.startsWith('platen-nats'))
        .map(({ secret }: KubernetesObject) => `mounted ${secret.secretName}`),
    ]
    return { role, own }
  })
  const holders = credentials.filter(({ own }) => own.length > 0).map(({ role, own }) => [role, own])
  expect(Object.fromEntries(holders)).toEqual(Object.fromEntries(NATS_SERVICES.map((name) => [name, toOwn(name)])))
})

describe('with namespaces and egress rules, a NetworkPolicy permits', () => {
  const objects = renderObjects('policies.yaml')
  const pods = getPods(objects)
  const find = (name: string) =>
    objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === name)
  const peers = (rules: KubernetesObject[], port: string | number, side: 'from' | 'to') =>
    rules.filter(({ ports }) => ports?.[0].port === port).map((rule) => listPeers(rule[side], pods))

  test('monitoring and the pods of operators to reach the operations ports', () => {
    for (const role of SERVICES)
      expect(peers(find(`platen-${role}`)?.spec.ingress, 'ops', 'from')).toEqual([
        ['monitoring', 'operator', 'selftest'],
      ])
  })

  test('the Gateway, and the pods that use them, to reach the public ports', () => {
    expect(peers(find('platen-gateway')?.spec.ingress, 'http', 'from')).toEqual([['gateways', 'selftest']])
    expect(peers(find('platen-devices')?.spec.ingress, 'agents', 'from')).toEqual([['gateways', 'test-computers']])
  })

  test('a component to reach the pods that it calls, and only accounts, jobs and webhooks public addresses', () => {
    const egress = (role: string): KubernetesObject[] => find(`platen-${role}`)?.spec.egress
    expect(peers(egress('usage'), 8100, 'to')).toEqual([['jobs']])
    expect(peers(egress('test-computers'), 8100, 'to')).toEqual([['devices']])
    expect(peers(egress('accounts'), 8100, 'to')).toEqual([])
    expect(peers(egress('selftest'), 9464, 'to')).toEqual([SERVICES.toSorted()])
    const reachesInternet = (role: string) => JSON.stringify(egress(role)).includes('169.254.0.0/16')
    expect(SERVICES.filter(reachesInternet)).toEqual(['accounts', 'jobs', 'webhooks'])
    for (const role of SERVICES) expect(JSON.stringify(egress(role)[0]?.to)).toContain('kube-dns')
  })
})

/** @returns the components and the namespaces that a rule names. */
function listPeers(peers: KubernetesObject[], pods: Pod[]): string[] {
  return peers
    .flatMap(({ podSelector, namespaceSelector }) => {
      if (!podSelector) return namespaceSelector.matchExpressions[0].values
      const [{ values }] = podSelector.matchExpressions
      return toRoles(pods.filter(({ labels }) => values.includes(labels['app.kubernetes.io/component'])))
    })
    .sort()
}

const toRoles = (pods: Pod[]) => pods.map(({ role }) => role).toSorted()

function toPortNames(kind: string, spec: KubernetesObject['spec']): string[] {
  if (kind === 'Service') return (spec.ports ?? []).map((port: { targetPort: string }) => port.targetPort)
  if (kind === 'PodMonitor') return spec.podMetricsEndpoints.map(({ port }: { port: string }) => port)
  if (kind === 'PodDisruptionBudget') return []
  return spec.ingress.flatMap(({ ports }: { ports: { port: string }[] }) => ports.map(({ port }) => port))
}

test('a stream of an agent has no timeout, and an upload more than 120 s', () => {
  const routes = renderObjects('gateway-api.yaml').filter(({ kind }) => kind === 'HTTPRoute')
  const timeouts = routes.map(({ spec }) => [spec.rules[0].matches[0].path.value, spec.rules[0].timeouts.request])
  expect(Object.fromEntries(timeouts)).toEqual({ '/': '150s', '/platen.agent.v1.AgentService/': '0s' })
})

test('a Job of migrations that is no hook has another name after each change', () => {
  const name = (values: object) =>
    renderObjects('migrations-job.yaml', values).find(({ kind }) => kind === 'Job')?.metadata.name
  const names = [name({}), name({ image: { tag: '0.2.0' } }), name({ mesh: true })]
  expect(new Set(names).size).toBe(3)
})

test('`extraEnv` of a component replaces that of all components, which replaces the chart', () => {
  const values = { jobs: { extraEnv: { NODE_EXTRA_CA_CERTS: '/ca.pem' } } }
  const pods = getPods(renderObjects('settings.yaml', values))
  const value = (role: string, variable: string) =>
    pods.find((pod) => pod.role === role)?.container.env.find(({ name }: { name: string }) => name === variable)?.value
  expect(['jobs', 'usage'].map((role) => value(role, 'NODE_EXTRA_CA_CERTS'))).toEqual([
    '/ca.pem',
    '/etc/ssl/certs/company.pem',
  ])
  expect(value('jobs', 'PLATEN_LOG_LEVEL')).toBe('debug')
})

test('a `podTemplate` merges named items of lists, that of a component after that of `defaults`; pods keep their labels', () => {
  const sidecar = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' }
  const values = {
    defaults: {
      podTemplate: {
        metadata: { labels: { team: 'print', 'app.kubernetes.io/component': 'other' }, annotations: { reload: 'yes' } },
        spec: { initContainers: [sidecar], volumes: [{ name: 'ca', secret: { secretName: 'ca' } }], tolerations: [] },
      },
    },
    jobs: {
      podTemplate: {
        spec: {
          initContainers: [{ name: 'proxy', image: 'proxy:2' }],
          containers: [{ name: 'platen', volumeMounts: [{ name: 'ca', mountPath: '/ca' }], args: ['jobs', '--trace'] }],
          securityContext: { fsGroup: 1 },
        },
      },
    },
  }
  const find = (role: string, changed?: object) =>
    getPods(renderObjects('minimal.yaml', changed)).find((pod) => pod.role === role) as Pod
  const [before, after, other] = [find('jobs'), find('jobs', values), find('usage', values)]
  expect(after.labels).toEqual({ ...before.labels, team: 'print' })
  expect(after.spec).toEqual({
    ...before.spec,
    tolerations: [],
    initContainers: [{ ...sidecar, image: 'proxy:2' }],
    securityContext: { ...before.spec.securityContext, fsGroup: 1 },
    volumes: [...before.spec.volumes, { name: 'ca', secret: { secretName: 'ca' } }],
    containers: [
      {
        ...before.container,
        args: ['jobs', '--trace'],
        volumeMounts: [...before.container.volumeMounts, { name: 'ca', mountPath: '/ca' }],
      },
    ],
  })
  expect([other.spec.initContainers, other.container]).toEqual([[sidecar], find('usage').container])
})

test.each([
  ['100.63.255.255', true],
  ['100.128.0.0', true],
  ['172.32.0.0', true],
  ['2606:2800::1', true],
  ['10.0.0.1', false],
  ['100.64.0.1', false],
  ['100.127.255.255', false],
  ['169.254.169.254', false],
  ['172.16.0.0', false],
  ['172.31.255.255', false],
  ['192.168.0.1', false],
  ['fd00::1', false],
  ['fe80::1', false],
])('that accounts, jobs and webhooks may connect to %s is %s', (address, isPermitted) => {
  const isIn = (cidr: string) => {
    const [network = '', length] = cidr.split('/')
    return isInNetwork(address, { address: network, prefixLength: Number(length) })
  }
  const policies = renderObjects('policies.yaml').filter(({ kind }) => kind === 'NetworkPolicy')
  const third = policies.flatMap(({ metadata, spec }) => {
    const peers = spec.egress
      .flatMap(({ to }: KubernetesObject) => to ?? [])
      .map((peer: KubernetesObject) => peer.ipBlock)
    const blocks = peers.filter((block?: KubernetesObject) => block?.except)
    const reaches = blocks.some(({ cidr, except }: KubernetesObject) => isIn(cidr) && !except.some(isIn))
    return blocks.length > 0 ? [[metadata.name, reaches]] : []
  })
  const names = ['platen-accounts', 'platen-jobs', 'platen-webhooks']
  expect(third.toSorted()).toEqual(names.map((name) => [name, isPermitted]))
})
