/**
 * Runs the objects that `helm template` renders as containers of a Docker engine, on a network of their own. Does what
 * kubelet, the controllers of workloads, kube-proxy and DNS do for them. Differences to a cluster:
 *
 * - `timeScale` shortens probe periods, `minReadySeconds` and the sleep of `preStop`; timeouts and grace periods are
 *   kept.
 * - The name of a headless Service has the addresses of all its containers that run, also of those that are not ready
 *   or terminate.
 * - Only pods with probes are run, so not the pod of operators.
 * - An ended container is started again at once, whatever its number of restarts, and without the contents of its
 *   `emptyDir`s.
 */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '@platen/agent/packages/run.ts'
import type { KubernetesObject } from '../chart/helm.ts'
import { waitFor } from '../harness/wait-for.ts'
import { docker, getAddress, isHeadless, LABEL, type Node, runPod, selects, type Template } from './run-pod.ts'

export interface Pod {
  name: string
  /** The id of its container. */
  id: string
  workload: KubernetesObject
  address: string
  isReady: boolean
  isTerminating: boolean
  /** Starts of its container after the first one. */
  restarts: number
  /** Resolves with the exit code after its termination. */
  ended: PromiseWithResolvers<number>
}

export interface Options extends Node {
  objects: KubernetesObject[]
  /** See above; 1 is the pace of Kubernetes. */
  timeScale: number
  /** The directory for logs of ended pods. */
  logs: string
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

const READY_LIMIT_MS = 120_000

/** Starts all workloads at once and does not wait for them. */
export async function startCluster(options: Options) {
  const { objects, services, address, logs } = options
  const workloads = objects.filter(
    ({ kind, spec }) =>
      ['Deployment', 'StatefulSet'].includes(kind) && spec.template.spec.containers[0].readinessProbe !== undefined,
  )
  const pods = new Set<Pod>()
  /** Resolve with the name and exit code of a pod. */
  const terminations: Promise<[string, number]>[] = []
  let created = 0
  let isStopping = false
  const pause = (seconds: number) => sleep(seconds * 1000 * options.timeScale)

  const filters = ['--filter=event=die', `--filter=label=${LABEL}`]
  const events = spawn('docker', ['events', ...filters, '--format={{.Actor.ID}} {{.Actor.Attributes.exitCode}}'])
  createInterface(events.stdout).on('line', (line) => {
    const [id, code] = line.split(' ')
    const pod = [...pods].find((one) => one.id === id)
    if (pod?.isTerminating) pod.ended.resolve(Number(code))
    else if (pod && !isStopping) void restart(pod)
  })

  async function create(workload: KubernetesObject, nth: number): Promise<Pod> {
    const suffix = workload.kind === 'StatefulSet' ? nth : (++created).toString(36).padStart(3, '0')
    const name = `${workload.metadata.name}-${suffix}`
    const id = await runPod(options, name, workload.spec.template, '--detach')
    const state = { isReady: false, isTerminating: false, restarts: 0, ended: Promise.withResolvers<number>() }
    const pod = { name, id, workload, address: await getAddress(id), ...state }
    pods.add(pod)
    void watch(pod)
    return pod
  }

  async function restart(pod: Pod): Promise<void> {
    Object.assign(pod, { isReady: false, restarts: pod.restarts + 1 })
    await docker('start', pod.id)
    pod.address = await getAddress(pod.id)
    void watch(pod)
  }

  /** Asks the probes during one run of the container. */
  async function watch(pod: Pod): Promise<void> {
    const { restarts } = pod
    const { startupProbe, livenessProbe, readinessProbe } = getContainer(pod)
    const isCurrent = () => pod.restarts === restarts && !pod.isTerminating && !isStopping
    /** @param onResult returns whether to continue. It is called with false when the probe has failed often enough. */
    async function ask({ httpGet, ...probe }: Template, onResult: (succeeds: boolean) => boolean): Promise<void> {
      const { timeoutSeconds = 1, failureThreshold = 3, periodSeconds = 10 } = probe
      let failures = 0
      while (isCurrent()) {
        const url = `http://${pod.address}:${getPort(pod, httpGet.port)}${httpGet.path}`
        const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutSeconds * 1000) }).catch(() => undefined)
        const succeeds = answer !== undefined && answer.status < 400
        failures = succeeds ? 0 : failures + 1
        if (isCurrent() && (succeeds || failures >= failureThreshold) && !onResult(succeeds)) return
        await pause(periodSeconds)
      }
    }
    function live(succeeds: boolean): boolean {
      if (!succeeds) void docker('stop', `--time=${getGraceSeconds(pod)}`, pod.id)
      return succeeds
    }
    await ask(startupProbe, (succeeds) => {
      live(succeeds)
      return false
    })
    await Promise.all([
      ask(livenessProbe, live),
      ask(readinessProbe, (succeeds) => {
        pod.isReady = succeeds
        return true
      }),
    ])
  }

  async function terminate(pod: Pod): Promise<[string, number]> {
    pod.isTerminating = true
    // Workloads without ports have no `preStop`.
    const seconds = getContainer(pod).lifecycle?.preStop.sleep.seconds ?? 0
    await pause(seconds)
    await docker('stop', `--time=${getGraceSeconds(pod) - seconds}`, pod.id)
    const code = await pod.ended.promise
    await remove(pod)
    return [pod.name, code]
  }

  async function remove(pod: Pod): Promise<void> {
    const log = await run('sh', ['-c', 'docker logs "$0" 2>&1', pod.id])
    writeFileSync(join(logs, `${pod.name}.log`), log, { flag: 'a' })
    await docker('rm', '--force', pod.id)
    pods.delete(pod)
  }

  /**
   * RollingUpdate: one pod more than the replicas, none less; of a StatefulSet one pod after the other. Returns when
   * the new pods are available, while old ones may still terminate.
   */
  async function roll(workload: KubernetesObject): Promise<void> {
    for (const [nth, old] of [...pods].filter((pod) => pod.workload === workload).entries()) {
      const isStateful = workload.kind === 'StatefulSet'
      if (isStateful) terminations.push(Promise.resolve(await terminate(old)))
      await untilReady([await create(workload, nth)])
      await pause(workload.spec.minReadySeconds)
      if (!isStateful) terminations.push(terminate(old))
    }
  }

  async function untilReady(some: Iterable<Pod> = pods): Promise<void> {
    await waitFor(() => {
      const missing = [...some].filter(({ isReady }) => !isReady).map(({ name }) => name)
      if (missing.length > 0) throw new Error(`not ready: ${missing.join(', ')}`)
    }, READY_LIMIT_MS)
  }

  const virtual = services.filter((service) => !isHeadless(service))
  const proxies = virtual.flatMap((service) => service.spec.ports.map((port: Template) => startProxy(service, port)))

  /** Leads to ready pods in turn. Existing connections outlast the beginning of the termination of their pod. */
  function startProxy(service: KubernetesObject, { port, targetPort }: Template) {
    let turn = 0
    const accept = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
      const isMember = ({ workload }: Pod) => selects(service, workload.spec.template)
      const ready = [...pods].filter((pod) => pod.isReady && !pod.isTerminating && isMember(pod))
      const pod = ready[turn++ % ready.length]
      if (!pod) return client.resetAndDestroy()
      const to = { host: pod.address, port: getPort(pod, targetPort) }
      const server = connect({ ...to, noDelay: true, allowHalfOpen: true })
      client.pipe(server).pipe(client)
      client.on('error', () => server.resetAndDestroy()).once('close', () => server.destroy())
      server.on('error', () => client.resetAndDestroy()).once('close', () => client.destroy())
    })
    return accept.listen(port, address)
  }

  for (const workload of workloads) for (let nth = 0; nth < workload.spec.replicas; nth++) await create(workload, nth)

  return {
    ...{ workloads, pods, terminations, roll, untilReady },
    findPods: (component: string) =>
      [...pods].filter(({ workload }) => workload.metadata.labels?.['app.kubernetes.io/component'] === component),
    async stop() {
      isStopping = true
      events.kill()
      for (const proxy of proxies) proxy.close()
      // An interrupted termination removes its pod, too.
      await Promise.allSettled([...pods].map(remove))
    },
  }
}

const getContainer = ({ workload }: Pod) => workload.spec.template.spec.containers[0]

export const getPort = (pod: Pod, name: string): number =>
  getContainer(pod).ports.find((port: Template) => port.name === name).containerPort

const getGraceSeconds = ({ workload }: Pod): number => workload.spec.template.spec.terminationGracePeriodSeconds
