/** Builds the container image with Docker. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, succeeds } from './run.ts'

export const isEngineAvailable = () => succeeds('docker', 'info')

export interface ImageOptions {
  /** The package for Linux as `.tar.gz`, for the architecture of the engine. */
  archive: string
  tag: string
  /** Replaces the base image of the Dockerfile. */
  baseImage?: string
}

/**
 * @throws the error of Docker, which must be able to pull the base image of the Dockerfile unless `baseImage` is set.
 */
export async function buildImage({ archive, tag, baseImage }: ImageOptions): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'platen-image-'))
  try {
    await copyFile(archive, join(context, 'platen-agent.tar.gz'))
    await copyFile(join(import.meta.dirname, 'image/Dockerfile'), join(context, 'Dockerfile'))
    const base = baseImage ? ['--build-arg', `BASE_IMAGE=${baseImage}`] : []
    // Every engine contains the classic builder. The client of BuildKit can be missing.
    await run('docker', ['build', '--quiet', '--tag', tag, ...base, context], { DOCKER_BUILDKIT: '0' })
  } finally {
    await rm(context, { recursive: true })
  }
}
