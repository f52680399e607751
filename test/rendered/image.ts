/** The image of all roles: its size and how fast a gateway starts. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '@platen/agent/packages/run.ts'
import { docker, getAddress, type Node, runPod, type Template } from './run-pod.ts'

export const IMAGE = 'platen-rendered:0.1.0'
const STARTS = 3
const POLL_EVERY_MS = 10

/** With the package sources of this machine. */
export async function buildImage(): Promise<void> {
  const root = join(import.meta.dirname, '../..')
  const dockerfile = join(root, 'deploy/image/Dockerfile')
  // Every engine contains the classic builder. The client of BuildKit can be missing.
  const builder = { DOCKER_BUILDKIT: '0' }
  await run('docker', ['build', '--quiet', '--network=host', `--file=${dockerfile}`, `--tag=${IMAGE}`, root], builder)
}

/** As a registry keeps it. */
export async function measureImageBytes(): Promise<number> {
  return Number(await run('sh', ['-c', 'docker save "$0" | gzip | wc -c', IMAGE]))
}

/** @returns the median time from the start of a container to its first success of `/readyz`. */
export async function measureStartMs(node: Node, template: Template): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < STARTS; n++) {
    const startedAt = performance.now()
    const id = await runPod(node, `cold-start-${n}`, template, '--detach')
    const url = `http://${await getAddress(id)}:9464/readyz`
    while (
      !(await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await sleep(POLL_EVERY_MS)
    times.push(performance.now() - startedAt)
    await docker('rm', '--force', id)
  }
  return times.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? Number.NaN
}
