/**
 * The alerts: when they fire (`alerts/*.yaml`, by `promtool`), and their runbooks. The metrics in alerts and in the
 * dashboard.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createProgram } from '@platen/deploy/commands/program.ts'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { cache, chart, type KubernetesObject, renderObjects } from './helm.ts'

interface Rule {
  alert: string
  expr: string
  annotations: { summary: string; runbook_url: string }
}

const root = join(import.meta.dirname, '../..')
const tests = join(import.meta.dirname, 'alerts')
const rulesDirectory = join(cache, 'alerts')

const runbooks = readFileSync(join(root, 'docs/operations/runbooks.md'), 'utf8')

const findRule = (values?: object): KubernetesObject | undefined =>
  renderObjects('policies.yaml', values).find(({ kind }) => kind === 'PrometheusRule')

const rendered = findRule()
const rules: Rule[] = rendered?.spec.groups[0].rules

const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) console.warn('promtool is not on the PATH (Debian: prometheus). The tests of alerts are skipped.')

test('each alert has a file of tests, and leads to its runbook in the documentation of the installation', () => {
  const names = rules.map(({ alert }) => alert)
  expect(readdirSync(tests).toSorted()).toEqual(names.map((name) => `${name}.yaml`).toSorted())
  const [{ annotations }] = rules as [Rule]
  const [page] = annotations.runbook_url.split('#')
  expect(page).toMatch(/^https:\/\/[a-z.-]+\/docs\/operations\/runbooks$/)
  expect(rules.map(({ annotations }) => annotations.runbook_url)).toEqual(
    names.map((name) => `${page}#${name.toLowerCase()}`),
  )
  expect([...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)).toEqual(names)
})

test.skipIf(!hasPromtool).each(readdirSync(tests))('%s: the alert fires only when it should', (file) => {
  mkdirSync(rulesDirectory, { recursive: true })
  writeFileSync(join(rulesDirectory, 'rules.yaml'), stringify(rendered?.spec))
  copyFileSync(join(tests, file), join(rulesDirectory, file))
  const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { cwd: rulesDirectory, encoding: 'utf8' })
  expect(`${stdout}${stderr}`).toMatch(/SUCCESS\s*$/)
})

test('each threshold changes an alert', () => {
  const { thresholds } = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')).telemetry.alerts
  for (const name of Object.keys(thresholds))
    expect(findRule({ telemetry: { alerts: { thresholds: { [name]: 42 } } } })?.spec, name).not.toEqual(rendered?.spec)
})

interface DashboardPanel {
  title: string
  type: string
  targets?: { expr: string }[]
}

const dashboard: { panels: DashboardPanel[] } = JSON.parse(
  renderObjects('policies.yaml').find(({ metadata }) => metadata.name === 'platen-dashboard')?.data['platen.json'],
)
const queries = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })))

test('each metric of Platen in an alert or a panel is documented', () => {
  const documented = readDocumentedMetrics()
  const named = [...rules.map(({ alert, expr }) => ({ title: alert, expr })), ...queries]
  for (const { title, expr } of named) expect(findUnknownMetrics(expr, documented), title).toEqual([])
})

test.skipIf(!hasPromtool)('each query of the dashboard is valid', () => {
  mkdirSync(rulesDirectory, { recursive: true })
  const rules = queries.map(({ expr }, index) => ({
    record: `panel_${index}`,
    expr: expr.replaceAll('$__rate_interval', '2m'),
  }))
  writeFileSync(join(rulesDirectory, 'dashboard.yaml'), stringify({ groups: [{ name: 'dashboard', rules }] }))
  const { stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'dashboard.yaml'], {
    cwd: rulesDirectory,
    encoding: 'utf8',
  })
  expect(`${stdout}${stderr}`).toContain('SUCCESS: 18 rules found')
})

test('each command in a runbook names a command of Platen and objects of the chart that exist', () => {
  const used = [...runbooks.matchAll(/(?:-- |`)platen-server ([a-z-]+)/g)].map(([, name]) => name)
  expect(used.length).toBeGreaterThan(0)
  expect(createProgram().commands.map((command) => command.name())).toEqual(expect.arrayContaining(used))

  const objects = renderObjects('policies.yaml')
  const names = objects.map(
    ({ kind, metadata }) => `${kind.replace('Deployment', 'deploy').toLowerCase()}/${metadata.name}`,
  )
  const components = objects.map(({ metadata }) => `component=${metadata.labels?.['app.kubernetes.io/component']}`)
  const references = runbooks.match(/(deploy|statefulset)\/[\w-]+|component=[\w-]+/g)
  expect([...names, ...components]).toEqual(expect.arrayContaining(references ?? ['no reference']))
})

/** The names in docs/metrics.md, and the series of histograms. */
function readDocumentedMetrics(): Set<string> {
  const page = readFileSync(join(root, 'docs/metrics.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\w+)/gm)]
  return new Set(
    rows.flatMap(([, name = '', type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((suffix) => `${name}_${suffix}`) : [name],
    ),
  )
}

/** Metrics of kube-state-metrics begin with `kube_`. */
function findUnknownMetrics(query: string, documented: Set<string>): string[] {
  const names = [...query.matchAll(/(\w+)\{/g)].map(([, name = '']) => name)
  expect(names).not.toEqual([])
  return names.filter((name) => !name.startsWith('kube_') && !documented.has(name))
}
