/** The files by which an operator gets and verifies an image of the service. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../agent/packages/run.ts'

/** Where the image has its parts: `deploy/image/describe-image.ts`. */
const SBOM = '/platen/sbom.cdx.json'

/**
 * Writes `NAME.tar`, the image for `docker load`; `NAME.id`, the SHA-256 of its configuration, which has the hashes of
 * all layers and is the same in each registry; `NAME.cdx.json`, its SBOM.
 *
 * @param tag of an image of the engine. @param out an existing directory.
 */
export async function writeImageFiles(tag: string, out: string, name: string): Promise<void> {
  const path = join(out, name)
  await run('docker', ['save', '--output', `${path}.tar`, tag])
  await writeFile(`${path}.id`, `${await readConfigurationHash(`${path}.tar`)}\n`)
  const container = (await run('docker', ['create', tag])).trim()
  try {
    await run('docker', ['cp', `${container}:${SBOM}`, `${path}.cdx.json`])
  } finally {
    await run('docker', ['rm', container])
  }
}

/** @param archive as `docker save` writes it: the file with the configuration is named by its hash. */
async function readConfigurationHash(archive: string): Promise<string> {
  const [image] = JSON.parse(await run('tar', ['-xOf', archive, 'manifest.json']))
  const [hash] = /[0-9a-f]{64}/.exec(image.Config) ?? []
  if (!hash) throw new Error(`${archive} names no configuration.`)
  return hash
}
