import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CI_FILES, chart, HELM, HELMS, render, runHelm } from './helm.ts'

test.each(CI_FILES)('%s passes `helm lint --strict` of each version of Helm', (file) => {
  for (const helm of HELMS)
    expect(runHelm(helm, ['lint', '--strict', chart, '--kube-version=1.31.0'], file)).toMatchObject({ ok: true })
})

test.each(CI_FILES)('%s is rendered to the same bytes each time and by each version of Helm', (file) => {
  const first = render(HELM, file)
  for (const helm of HELMS) expect(render(helm, file) === first).toBe(true)
  expect(render(HELM, file) === first).toBe(true)
})

test('the notes sum up the connections that PostgreSQL must permit, by the largest number of pods during an upgrade', () => {
  const notes = (values: object) =>
    runHelm(HELM, ['install', 'platen', chart, '--dry-run=client'], 'minimal.yaml', values).stdout
  expect(notes({})).toContain('must permit 178 connections') // 3 × (11 + 13 + 13 + 6 + 13) + 10
  const scaled = { jobs: { autoscaling: { enabled: true, max: 5 } }, database: { connectionsPerReplica: 20 } }
  expect(notes(scaled)).toContain('must permit 370 connections') // 20 × (6 + 4 × 3) + 10
})

const INGRESS = { expose: { ingress: { enabled: true } }, settings: { PLATEN_TRUSTED_PROXIES: '10.244.0.0/16' } }

test.each([
  [{}, 'mail.secretName'],
  [{}, 'expose'],
  [{}, 'settings.PLATEN_DATABASE_MAX_BYTES'],
  [{}, 'networkPolicy.egress.enabled'],
  [{ nats: { replicas: 1 } }, 'nats.replicas'],
  ...['tls', 'annotations', 'agentsAnnotations'].map((key): [object, string] => [INGRESS, `expose.ingress.${key}`]),
  [{ usage: { replicas: 1 } }, 'usage.replicas'],
])('with the values %j the notes warn about %s', (values, key) => {
  const { stdout } = runHelm(HELM, ['install', 'platen', chart, '--dry-run=client'], 'minimal.yaml', values)
  expect(stdout.split('Warnings:')[1]).toContain(`- ${key}`)
})

test('the notes do not warn about the disk of PostgreSQL if its bound is set', () => {
  const values = { settings: { PLATEN_DATABASE_MAX_BYTES: 80_000_000_000 } }
  const { stdout } = runHelm(HELM, ['install', 'platen', chart, '--dry-run=client'], 'minimal.yaml', values)
  expect(stdout.split('Warnings:')[1]).not.toContain('PLATEN_DATABASE_MAX_BYTES')
})

test.each(['gateway-api', 'traefik', 'haproxy'])('the values of examples/%s need no other route', (name) => {
  const { stdout } = runHelm(HELM, ['install', 'platen', chart, '--dry-run=client'], `../examples/${name}.values.yaml`)
  expect(stdout).toContain('Warnings:')
  expect(stdout).not.toContain('- expose')
})

test('the first values of the README are those of examples/gateway-api', () => {
  const example = readFileSync(join(chart, 'examples/gateway-api.values.yaml'), 'utf8').replaceAll(/^#.*\n/gm, '')
  expect(readFileSync(join(chart, 'README.md'), 'utf8')).toContain(example.trimEnd().replaceAll(/^/gm, '    '))
})
