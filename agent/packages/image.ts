/** The container image, where a Docker engine answers. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bundle } from './bundle.ts'
import { createProgramTree } from './program-tree.ts'
import { run, succeeds } from './run.ts'

export const isEngineAvailable = () => succeeds('docker', 'info')

export interface ImageOptions {
  bundle: Bundle
  tag: string
  /** Instead of the official one that the Dockerfile names. */
  baseImage?: string
}

/** @throws with what Docker said; without `baseImage` it must be able to pull. */
export async function buildImage({ bundle, tag, baseImage }: ImageOptions): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'platen-image-'))
  try {
    await createProgramTree(context, bundle)
    await copyFile(join(import.meta.dirname, 'image/Dockerfile'), join(context, 'Dockerfile'))
    const base = baseImage ? ['--build-arg', `BASE_IMAGE=${baseImage}`] : []
    // The classic builder is in every engine, BuildKit's client is not.
    await run('docker', ['build', '--quiet', '--tag', tag, ...base, context], { DOCKER_BUILDKIT: '0' })
  } finally {
    await rm(context, { recursive: true })
  }
}
