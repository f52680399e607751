/**
 * Runs the objects that `helm template` renders as containers of a Docker engine, on a network of their own. Does what kubelet, the controllers
 * of workloads, kube-proxy and DNS do for them. Differences to a cluster:
 *
 * - `timeScale` shortens probe periods, `minReadySeconds` and the sleep of `preStop`; timeouts and grace periods are kept.
 * - The name of a headless Service has the addresses of all its containers that run, also of those that are not ready or terminate.
 * - An ended container is started again at once, whatever its number of restarts, with its file system and `emptyDir`s.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KubernetesObject } from '../chart/helm.ts'
import { waitFor } from '../harness/wait-for.ts'
import { docker, getAddress, isHeadless, LABEL, type Node, selects, startPod, type Template } from './run-pod.ts'

export interface Pod {
  name: string
  /** Of its container. */
  id: string
  workload: KubernetesObject
  address: string
  isReady: boolean
  isTerminating: boolean
  /** Ends without a termination. */
  restarts: number
  /** Resolves with the exit code after its termination. */
  ended: PromiseWithResolvers<number>
}

export interface Options extends Node {
  objects: KubernetesObject[]
  /** See above; 1 is the timeScale of Kubernetes. */
  timeScale: number
  /** For the logs of terminated containers. */
  logs: string
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

const READY_LIMIT_MS = 120_000

/** Starts all workloads at once and does not wait for them. */
export async function startCluster(options: Options) {
  const { objects, timeScale, services } = options
  const workloads = objects.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
  const pods = new Set<Pod>()
  /** Terminated pods that did not end with 0. */
  const unclean: string[] = []
  let isStopping = false
  let created = 0

  const events = spawn('docker', [
    ...['events', '--filter=event=die', `--filter=label=${LABEL}`],
    '--format={{.Actor.ID}} {{.Actor.Attributes.exitCode}}',
  ])
  createInterface(events.stdout).on('line', (line) => {
    const [id, code] = line.split(' ')
    const pod = [...pods].find((one) => one.id === id)
    if (pod?.isTerminating) pod.ended.resolve(Number(code))
    else if (pod && !isStopping) void restart(pod)
  })

  async function create(workload: KubernetesObject, name: string): Promise<Pod> {
    const id = await startPod(options, name, workload.spec.template)
    const pod: Pod = {
      ...{ name, id, workload, address: await getAddress(id), isReady: false, isTerminating: false, restarts: 0 },
      ended: Promise.withResolvers<number>(),
    }
    pods.add(pod)
    void watch(pod)
    return pod
  }

  async function restart(pod: Pod): Promise<void> {
    pod.isReady = false
    pod.restarts++
    await docker('start', pod.id)
    pod.address = await getAddress(pod.id)
    void watch(pod)
  }

  /** Asks the probes of one run of a container. */
  async function watch(pod: Pod): Promise<void> {
    const { restarts } = pod
    const { startupProbe, livenessProbe, readinessProbe, ports } = pod.workload.spec.template.spec.containers[0]
    const isCurrent = () => pod.restarts === restarts && !pod.isTerminating && !isStopping
    /** @param onResult returns true to end. The argument is undefined between results that change the state. */
    const ask = async (probe: Template, onResult: (succeeds: boolean | undefined) => boolean) => {
      const { port } = probe.httpGet
      const number = ports.find(({ name }: Template) => name === port).containerPort
      let failures = 0
      while (isCurrent()) {
        const succeeds = await get(`http://${pod.address}:${number}${probe.httpGet.path}`, probe.timeoutSeconds ?? 1)
        failures = succeeds ? 0 : failures + 1
        if (!isCurrent()) return
        if (onResult(succeeds || (failures >= (probe.failureThreshold ?? 3) ? false : undefined))) return
        await sleep((probe.periodSeconds ?? 10) * 1000 * timeScale)
      }
    }
    const endIfFalse = (succeeds: boolean | undefined) => {
      if (succeeds === false) void docker('stop', `--time=${getGraceSeconds(pod)}`, pod.id)
      return succeeds === false
    }
    await ask(startupProbe, (succeeds) => succeeds === true || endIfFalse(succeeds))
    const readiness = (succeeds: boolean | undefined) => {
      pod.isReady = succeeds ?? pod.isReady
      return false
    }
    await Promise.all([ask(readinessProbe, readiness), ask(livenessProbe, endIfFalse)])
  }

  async function terminate(pod: Pod): Promise<void> {
    pod.isTerminating = true
    const { preStop } = pod.workload.spec.template.spec.containers[0].lifecycle
    await sleep(preStop.sleep.seconds * 1000 * timeScale)
    await docker('stop', `--time=${getGraceSeconds(pod) - preStop.sleep.seconds}`, pod.id)
    const code = await pod.ended.promise
    if (code !== 0) unclean.push(`${pod.name} ended with ${code}`)
    await remove(pod)
  }

  async function remove(pod: Pod): Promise<void> {
    const log = createWriteStream(join(options.logs, `${pod.name}.log`))
    const reader = spawn('docker', ['logs', pod.id])
    reader.stdout.pipe(log)
    reader.stderr.pipe(log)
    await once(reader, 'close')
    await docker('rm', '--force', '--volumes', pod.id)
    pods.delete(pod)
  }

  const newName = ({ kind, metadata }: KubernetesObject, nth: number) =>
    kind === 'StatefulSet' ? `${metadata.name}-${nth}` : `${metadata.name}-${(++created).toString(36).padStart(3, '0')}`

  /** RollingUpdate with a surge of 1 and without unavailable pods; of a StatefulSet, one pod after the other. */
  async function roll(workload: KubernetesObject): Promise<void> {
    const terminations: Promise<void>[] = []
    for (const [nth, old] of [...pods].filter((pod) => pod.workload === workload).entries()) {
      if (workload.kind === 'StatefulSet') await terminate(old)
      const fresh = await create(workload, newName(workload, nth))
      await untilReady([fresh])
      await sleep(workload.spec.minReadySeconds * 1000 * timeScale)
      if (workload.kind !== 'StatefulSet') terminations.push(terminate(old))
    }
    await Promise.all(terminations)
  }

  async function untilReady(some: Iterable<Pod> = pods): Promise<void> {
    await waitFor(() => {
      const missing = [...some].filter(({ isReady }) => !isReady).map(({ name }) => name)
      if (missing.length > 0) throw new Error(`not ready: ${missing.join(', ')}`)
    }, READY_LIMIT_MS)
  }

  const proxies = services
    .filter((service) => !isHeadless(service))
    .flatMap((service) => service.spec.ports.map((port: Template) => startProxy(service, port)))

  /** Leads to ready pods in turn. Existing connections outlast the termination of their pod. */
  function startProxy(service: KubernetesObject, { port, targetPort }: Template) {
    let turn = 0
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
      const ready = [...pods].filter(
        ({ workload, isReady, isTerminating }) => isReady && !isTerminating && selects(service, workload.spec.template),
      )
      const pod = ready[turn++ % ready.length]
      const { ports } = pod?.workload.spec.template.spec.containers[0] ?? {}
      const number = ports?.find(({ name }: Template) => name === targetPort).containerPort
      if (!pod) return client.resetAndDestroy()
      const server = connect({ host: pod.address, port: number, noDelay: true, allowHalfOpen: true })
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        one.on('error', () => other.resetAndDestroy())
        one.once('close', () => other.destroy())
        one.pipe(other)
      }
    })
    return server.listen(port, options.address)
  }

  for (const workload of workloads)
    for (let nth = 0; nth < workload.spec.replicas; nth++) await create(workload, newName(workload, nth))

  return {
    workloads,
    pods,
    unclean,
    untilReady,
    /** All at once, as an upgrade does. */
    rollAll: () => Promise.all(workloads.map(roll)),
    findPods: (component: string) =>
      [...pods].filter(({ workload }) => workload.metadata.labels?.['app.kubernetes.io/component'] === component),
    async stop() {
      isStopping = true
      events.kill()
      for (const proxy of proxies) proxy.close()
      await Promise.all([...pods].map(remove))
    },
  }
}

const getGraceSeconds = ({ workload }: Pod): number => workload.spec.template.spec.terminationGracePeriodSeconds

async function get(url: string, timeoutSeconds: number): Promise<boolean> {
  const answer = fetch(url, { signal: AbortSignal.timeout(timeoutSeconds * 1000) })
  return await answer.then(
    ({ status }) => status < 400,
    () => false,
  )
}
