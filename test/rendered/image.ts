/** The image of all roles: its size and how fast a gateway starts. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from '@platen/agent/packages/run.ts'
import { writeImageFiles } from '../../deploy/release/image-files.ts'
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

/** @returns what is wrong with the files of a release of the image. @param directory for the files. */
export async function checkReleaseFiles(directory: string): Promise<string[]> {
  await writeImageFiles(IMAGE, directory, 'image')
  const path = (name: string) => join(directory, name)
  const { components } = JSON.parse(await readFile(path('image.cdx.json'), 'utf8')) as {
    components: { purl: string }[]
  }
  const isListed = (start: string) => components.some(({ purl }) => purl.startsWith(start))
  const expected = [
    'pkg:npm/pg@',
    'pkg:npm/%40img/sharp-libvips',
    'pkg:npm/react@',
    'pkg:generic/vips@',
    'pkg:deb/debian/libc6@',
  ]
  const archive = path('image.tar')
  const [{ Config: configuration }] = JSON.parse(await run('tar', ['-xOf', archive, 'manifest.json']))
  const sum = await run('sh', ['-c', 'tar -xOf "$0" "$1" | sha256sum | cut -c1-64', archive, configuration])
  const notices = await docker('run', '--rm', '--entrypoint=cat', IMAGE, '/platen/THIRD-PARTY-NOTICES.txt')
  return [
    ...expected.filter((start) => !isListed(start)).map((start) => `the SBOM lacks ${start}`),
    ...(sum === (await readFile(path('image.id'), 'utf8')) ? [] : ['the id is not that of the archive']),
    ...(notices.includes('LGPL-3.0-or-later') ? [] : ['the notices lack libvips']),
  ]
}

/** The size that a registry keeps. */
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
