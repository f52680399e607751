/**
 * A Prometheus server that scrapes the ops ports of all containers, as the PodMonitor of the chart asks for it, and
 * evaluates its alerts.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KubernetesObject } from '../chart/helm.ts'
import { freePort } from '../harness/free-port.ts'
import { waitFor } from '../harness/wait-for.ts'
import { getPort, type Pod } from './run-manifests.ts'

const START_LIMIT_MS = 30_000
const FIRE_LIMIT_MS = 60_000
const REFRESH_EVERY_MS = 500
/** Instead of the duration of each alert. */
const ALERT_AFTER = '5s'

interface Rule {
  name: string
  health: string
  lastError?: string
  state: string
}

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>

/** Installs the server if it is missing, as root on Debian. */
export async function startPrometheus(directory: string, objects: KubernetesObject[], pods: Iterable<Pod>) {
  const packages = join(import.meta.dirname, '../containers/packages.sh')
  if (spawnSync('prometheus', ['--version']).error)
    execFileSync('bash', ['-c', '. "$0" && install_packages prometheus', packages], { stdio: 'inherit' })
  const find = (kind: string) => objects.find((object) => object.kind === kind)
  const [group] = find('PrometheusRule')?.spec.groups ?? []
  const rules: { alert: string; expr: string; for?: string }[] = group.rules
  const panels: { targets?: { expr: string }[] }[] = JSON.parse(find('ConfigMap')?.data['platen.json']).panels

  await mkdir(directory)
  const write = (name: string, content: object) => {
    writeFileSync(join(directory, `${name}.new`), JSON.stringify(content))
    renameSync(join(directory, `${name}.new`), join(directory, name))
  }
  const shortened = rules.map((rule) => (rule.for ? { ...rule, for: ALERT_AFTER } : rule))
  write('rules.json', { groups: [{ ...group, rules: shortened }] })
  const monitor = find('PodMonitor')?.spec.podMetricsEndpoints[0]
  const scrape = {
    job_name: `print/${find('PodMonitor')?.metadata.name}`,
    metrics_path: monitor.path,
    file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }],
  }
  write('prometheus.json', {
    global: { scrape_interval: '2s', evaluation_interval: '1s' },
    rule_files: ['rules.json'],
    scrape_configs: [scrape],
  })
  const refresh = () =>
    write(
      'targets.json',
      [...pods].map((pod) => {
        const targets = [`${pod.address}:${getPort(pod, monitor.port)}`]
        return { targets, labels: { pod: pod.name, namespace: 'print' } }
      }),
    )
  const stopping = new AbortController()
  const refreshing = (async () => {
    while (!stopping.signal.aborted) {
      refresh()
      await sleep(REFRESH_EVERY_MS)
    }
  })()

  const url = `http://127.0.0.1:${await freePort()}`
  const server = spawn(
    'prometheus',
    [
      ...['--config.file=prometheus.json', '--storage.tsdb.path=data', '--log.level=warn'],
      `--web.listen-address=${new URL(url).host}`,
    ],
    { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  // biome-ignore lint/suspicious/noExplicitAny: answers of the API of Prometheus
  async function get(path: string, parameters: Record<string, string> = {}): Promise<any> {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    const { status, error, data } = (await response.json()) as { status: string; error?: string; data: unknown }
    if (status !== 'success') throw new Error(error)
    return data
  }
  await waitFor(async () => await get('rules'), START_LIMIT_MS)
  const getRules = async (): Promise<Rule[]> => (await get('rules')).groups[0].rules

  return {
    /**
     * @returns containers that are not scraped, alerts that cannot be evaluated, and invalid queries of the dashboard.
     */
    async findInvalid(): Promise<string[]> {
      const { activeTargets } = await get('targets')
      const unscraped = activeTargets.filter(({ health }: { health: string }) => health !== 'up')
      const evaluated = await getRules()
      const wrong = evaluated.filter(({ health }) => health !== 'ok')
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
      const results = queries.map(async (expr) => {
        const query = expr.replaceAll('$__rate_interval', '1m')
        return await get('query', { query }).then(
          () => [],
          (error: Error) => [`${query}: ${error.message}`],
        )
      })
      return [
        ...unscraped.map(({ scrapeUrl, lastError }: Record<string, string>) => `${scrapeUrl}: ${lastError}`),
        ...(evaluated.length === rules.length ? [] : [`${evaluated.length} of ${rules.length} rules are loaded`]),
        ...wrong.map(({ name, lastError }) => `${name}: ${lastError}`),
        ...(await Promise.all(results)).flat(),
      ]
    },
    /** @returns metrics of alerts and dashboard without a series. Those of kube-state-metrics begin with `kube_`. */
    async findMissingMetrics(): Promise<string[]> {
      const named = [...rules, ...panels.flatMap(({ targets = [] }) => targets)].flatMap(({ expr }) =>
        [...expr.matchAll(/(\w+)\{/g)].map(([, name = '']) => name),
      )
      const scraped = new Set<string>(await get('label/__name__/values'))
      return [...new Set(named)].filter((name) => !name.startsWith('kube_') && !scraped.has(name))
    },
    async untilFiring(alert: string): Promise<void> {
      await waitFor(async () => {
        const state = (await getRules()).find(({ name }) => name === alert)?.state
        if (state !== 'firing') throw new Error(`${alert} is ${state}`)
      }, FIRE_LIMIT_MS)
    },
    async stop(): Promise<void> {
      stopping.abort()
      await refreshing
      const exited = once(server, 'exit')
      if (server.exitCode === null && server.kill()) await exited
    },
  }
}
