/** Runs a pod of the chart as one container: what a kubelet makes of a pod template. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '@platen/agent/packages/run.ts'
import type { KubernetesObject } from '../chart/helm.ts'

export const docker = async (...args: string[]): Promise<string> => (await run('docker', args)).trim()

/** The label of all containers, networks and volumes of a run. */
export const LABEL = 'platen.rendered'

// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes, whose types test/chart checks
export type Template = any

export interface Node {
  network: string
  /** The address of the runner, as containers see it. */
  address: string
  /** For mounted Secrets. */
  directory: string
  /** Key and value of each Secret by its name. */
  secrets: Record<string, Record<string, string>>
  services: KubernetesObject[]
}

/**
 * @param options of `docker run`: `--detach` returns its id at once, `--rm` its output when it has ended.
 * @throws Error for a Secret or key that does not exist, a container that fails, and what this runner does not support.
 */
export async function runPod(node: Node, name: string, template: Template, option: '--detach' | '--rm') {
  const { securityContext: user, containers, volumes } = template.spec
  const [
    {
      command: [entrypoint, ...command] = [],
      args = [],
      image,
      resources,
      securityContext: own,
      volumeMounts,
      env,
      envFrom = [],
    },
    ...others
  ] = containers
  // The engine applies its default profile of system calls, which is RuntimeDefault.
  if (others.length > 0 || template.spec.initContainers || user.seccompProfile.type !== 'RuntimeDefault')
    throw new Error(`The pod ${name} needs more than this runner can do.`)
  const headless = node.services.filter((service) => isHeadless(service) && selects(service, template))
  const virtual = node.services.filter((service) => !isHeadless(service))
  const memory = toDockerBytes(resources.limits.memory)
  return await docker(
    ...['run', option, `--name=${name}`, `--hostname=${name}`, `--label=${LABEL}`, `--network=${node.network}`],
    ...headless.map(({ metadata }) => `--network-alias=${metadata.name}`),
    // The runner forwards connections to these, as kube-proxy does.
    ...virtual.map(({ metadata }) => `--add-host=${metadata.name}:${node.address}`),
    ...[`--user=${user.runAsUser}:${user.runAsGroup}`, `--read-only=${own.readOnlyRootFilesystem}`],
    ...own.capabilities.drop.map((capability: string) => `--cap-drop=${capability}`),
    `--security-opt=no-new-privileges=${!own.allowPrivilegeEscalation}`,
    ...[`--memory=${memory}`, `--memory-swap=${memory}`],
    ...getVariables(node, name, env, envFrom).map((variable) => `--env=${variable}`),
    ...(await Promise.all(volumeMounts.map((mount: Template) => toMount(node, name, volumes, mount)))),
    ...(entrypoint ? [`--entrypoint=${entrypoint}`] : []),
    image,
    ...command,
    ...args,
  )
}

export async function getAddress(container: string): Promise<string> {
  return await docker('inspect', '--format={{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', container)
}

export const isHeadless = (service: KubernetesObject): boolean => service.spec.clusterIP === 'None'

export function selects({ spec }: KubernetesObject, { metadata }: Template): boolean {
  return Object.entries(spec.selector).every(([label, value]) => metadata.labels[label] === value)
}

/** In the order of the list, because `$(NAME)` refers to an earlier variable. */
function getVariables({ secrets }: Node, pod: string, env: Template[], envFrom: Template[]): string[] {
  const sources = envFrom.map(({ secretRef }) => secrets[secretRef.name] ?? fail(`a Secret ${secretRef.name}`))
  const values: Record<string, string> = Object.assign({}, ...sources)
  const fields: Record<string, string> = { 'metadata.name': pod, 'spec.nodeName': 'node-1' }
  for (const { name, value, valueFrom: { fieldRef, secretKeyRef: { name: secret = '', key = '' } = {} } = {} } of env) {
    const replaced = value?.replaceAll(/\$\((\w+)\)/g, (all: string, other: string) => values[other] ?? all)
    values[name] = replaced ?? (fieldRef ? fields[fieldRef.fieldPath] : secrets[secret]?.[key]) ?? fail(name)
  }
  return Object.entries(values).map(([name, value]) => `${name}=${value}`)
}

async function toMount({ directory, secrets }: Node, pod: string, volumes: Template[], { name, mountPath }: Template) {
  const { emptyDir, secret } = volumes.find((one) => one.name === name) ?? {}
  if (emptyDir) return `--tmpfs=${mountPath}:size=${toDockerBytes(emptyDir.sizeLimit)},mode=1777`
  // The volume is one of `volumeClaimTemplates`.
  if (!secret) return `--volume=${await docker('volume', 'create', `--label=${LABEL}`, `${pod}-${name}`)}:${mountPath}`
  const source = join(directory, pod, name)
  await mkdir(source, { recursive: true })
  for (const { key, path } of secret.items)
    await writeFile(join(source, path), secrets[secret.secretName]?.[key] ?? fail(`${secret.secretName}: ${key}`))
  return `--volume=${source}:${mountPath}:ro`
}

/** "512Mi" becomes "512m". */
const toDockerBytes = (quantity: string): string => /^\d+[MG](?=i$)/.exec(quantity)?.[0].toLowerCase() ?? fail(quantity)

function fail(what: string): never {
  throw new Error(`${what} is missing, or this runner does not support it.`)
}
