/**
 * The TypeScript types of Kubernetes refuse a field with a wrong type, without which an object is invalid, or that does
 * not exist.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CI_FILES, cache, chart, type KubernetesObject, parseObjects, renderObjects } from './helm.ts'

const PACKAGES: Record<string, string> = {
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}

function toSource(objects: KubernetesObject[]): string {
  const lines = objects.map((object, index) => {
    const path = `${PACKAGES[object.apiVersion.split('/')[0] ?? ''] ?? 'kubernetes-models'}/${object.apiVersion}/${object.kind}`
    return `export const object${index}: import('${path}').I${object.kind} = ${JSON.stringify(object)}`
  })
  return [...new Set(lines)].join('\n')
}

function typeErrors(name: string, objects: KubernetesObject[]): string {
  mkdirSync(cache, { recursive: true })
  const file = join(cache, name)
  writeFileSync(file, toSource(objects))
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck']
  return spawnSync('tsc', [...options, file], { encoding: 'utf8' }).stdout
}

const EXAMPLES = [
  'cnpg-nats-s3/nats.yaml',
  'gateway-api/gateway.yaml',
  'kind/servers.yaml',
  'telemetry/collector.yaml',
  'telemetry/jaeger.yaml',
]

test('each object of each file in `ci` and of the examples has the type of its kind', () => {
  const objects = [
    ...CI_FILES.flatMap((file) => renderObjects(file)),
    ...EXAMPLES.flatMap((path) => parseObjects(readFileSync(join(chart, 'examples', path), 'utf8'))),
  ]
  const unique = [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()]
  expect(typeErrors('objects.ts', unique)).toBe('')
})

test('names of digits stay texts, and names are cut where a label would be too long', () => {
  const secrets = { database: { secretName: '1' }, files: { secretName: '2' }, secrets: { secretName: '3' } }
  const values = { ...secrets, nats: { secretName: '4', caSecretName: '5' }, serviceAccount: { name: '6' } }
  expect(typeErrors('digits.ts', renderObjects('minimal.yaml', values, '7'))).toBe('')
  const [set] = renderObjects('minimal.yaml', {}, 'a'.repeat(53)).filter(({ kind }) => kind === 'StatefulSet')
  expect(set?.metadata.name).toHaveLength(52)
})

test('an unknown field and a field of a wrong type are found', () => {
  const [object] = renderObjects('minimal.yaml').filter(({ kind }) => kind === 'Deployment')
  if (!object) throw new Error('minimal.yaml has no Deployment')
  expect(typeErrors('unknown.ts', [{ ...object, spec: { ...object.spec, replica: 2 } }])).toContain(
    '\'"replica"\' does not exist',
  )
  expect(typeErrors('wrong.ts', [{ ...object, spec: { ...object.spec, replicas: '2' } }])).toContain("'string' is not")
})
