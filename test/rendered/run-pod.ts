/** Runs a pod of the chart as one container: what a kubelet makes of a pod template. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '@platen/agent/packages/run.ts'
import type { KubernetesObject } from '../chart/helm.ts'

export const docker = async (...args: string[]): Promise<string> => (await run('docker', args)).trim()

/** Of all containers, networks and volumes of a run. */
export const LABEL = 'platen.rendered'

// biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes, whose types test/chart checks
export type Template = any

export interface Node {
  network: string
  /** Of the runner, as containers see it. */
  address: string
  /** For mounted Secrets. */
  directory: string
  /** Key and value of each Secret by its name. */
  secrets: Record<string, Record<string, string>>
  services: KubernetesObject[]
}

/**
 * Starts the container in the background.
 *
 * @returns its id.
 * @throws Error for a Secret or key that does not exist, and for what this runner does not support.
 */
export async function startPod(node: Node, name: string, template: Template): Promise<string> {
  return await docker('run', '--detach', ...(await toArguments(node, name, template)))
}

/** Runs the container of a Job or of a test until it ends. @returns its output. @throws Error with the output if it fails. */
export async function completePod(node: Node, name: string, template: Template): Promise<string> {
  return await docker('run', '--rm', ...(await toArguments(node, name, template)))
}

export async function getAddress(id: string): Promise<string> {
  return await docker('inspect', '--format={{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', id)
}

export const isHeadless = (service: KubernetesObject): boolean => service.spec.clusterIP === 'None'

export function selects({ spec }: KubernetesObject, { metadata }: Template): boolean {
  return Object.entries(spec.selector).every(([label, value]) => metadata.labels[label] === value)
}

async function toArguments(node: Node, name: string, template: Template): Promise<string[]> {
  const { spec } = template
  const [container, ...others] = spec.containers
  if (others.length > 0 || spec.initContainers) throw new Error(`${name} has several containers.`)
  const names = node.services.filter((service) => isHeadless(service) && selects(service, template))
  const virtual = node.services.filter((service) => !isHeadless(service))
  const memory = toDockerBytes(container.resources.limits.memory)
  return [
    ...[`--name=${name}`, `--hostname=${name}`, `--label=${LABEL}`, `--network=${node.network}`],
    ...names.map(({ metadata }) => `--network-alias=${metadata.name}`),
    // The runner forwards connections to these, as kube-proxy does.
    ...virtual.map(({ metadata }) => `--add-host=${metadata.name}:${node.address}`),
    ...toSecurityArguments(spec.securityContext, container.securityContext),
    ...[`--memory=${memory}`, `--memory-swap=${memory}`],
    ...getVariables(node, name, container).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ...(await Promise.all(container.volumeMounts.map((mount: Template) => toMount(node, name, spec, mount)))),
    container.image,
    ...container.args,
  ]
}

function toSecurityArguments(pod: Template, container: Template): string[] {
  // The engine applies its default profile of system calls, which is RuntimeDefault.
  if (pod.seccompProfile.type !== 'RuntimeDefault') throw new Error('Only RuntimeDefault is supported.')
  return [
    `--user=${pod.runAsUser}:${pod.runAsGroup}`,
    ...(container.readOnlyRootFilesystem ? ['--read-only'] : []),
    ...(container.allowPrivilegeEscalation ? [] : ['--security-opt=no-new-privileges']),
    ...container.capabilities.drop.map((capability: string) => `--cap-drop=${capability}`),
  ]
}

/** In the order of the list, because `$(NAME)` refers to an earlier variable. */
function getVariables(node: Node, name: string, { env, envFrom = [] }: Template): [string, string][] {
  const values = new Map<string, string>()
  for (const { secretRef } of envFrom)
    for (const [variable, value] of Object.entries(getSecret(node, secretRef.name))) values.set(variable, value)
  const fields: Record<string, string> = { 'metadata.name': name, 'spec.nodeName': 'node-1' }
  for (const { name: variable, value, valueFrom } of env) {
    const { fieldRef, secretKeyRef } = valueFrom ?? {}
    const found = fieldRef
      ? fields[fieldRef.fieldPath]
      : secretKeyRef
        ? getSecret(node, secretKeyRef.name)[secretKeyRef.key]
        : value.replaceAll(/\$\((\w+)\)/g, (all: string, other: string) => values.get(other) ?? all)
    if (found === undefined) throw new Error(`${variable} of ${name} has no value: ${JSON.stringify(valueFrom)}`)
    values.set(variable, found)
  }
  return [...values]
}

function getSecret({ secrets }: Node, name: string): Record<string, string> {
  const secret = secrets[name]
  if (!secret) throw new Error(`There is no Secret ${name}.`)
  return secret
}

async function toMount(node: Node, name: string, spec: Template, mount: Template): Promise<string> {
  const volume = spec.volumes.find((one: Template) => one.name === mount.name)
  if (!volume) return `--volume=${name}-${mount.name}:${mount.mountPath}`
  if (volume.emptyDir) return `--tmpfs=${mount.mountPath}:size=${toDockerBytes(volume.emptyDir.sizeLimit)},mode=1777`
  if (!volume.secret) throw new Error(`The volume ${mount.name} is not supported.`)
  const directory = join(node.directory, name, mount.name)
  await mkdir(directory, { recursive: true })
  const secret = getSecret(node, volume.secret.secretName)
  for (const { key, path } of volume.secret.items) {
    const value = secret[key]
    if (value === undefined) throw new Error(`The Secret ${volume.secret.secretName} has no key ${key}.`)
    await writeFile(join(directory, path), value, { mode: 0o644 })
  }
  return `--volume=${directory}:${mount.mountPath}:ro`
}

/** "512Mi" becomes "512m". */
function toDockerBytes(quantity: string): string {
  const [, number, unit = ''] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? []
  if (!number) throw new Error(`${quantity} is not a number of Mi or Gi.`)
  return `${number}${unit.charAt(0).toLowerCase()}`
}
