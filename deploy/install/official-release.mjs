/** Fetches the official release of nats-server and verifies its checksum. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NATS_SERVER } from './find-nats-server.mjs'
import { run } from './run.mjs'

const VERSION = 'v2.14.5'
const DOWNLOAD_TIMEOUT_MS = 120_000

const RELEASES = {
  'linux x64': {
    archive: `nats-server-${VERSION}-linux-amd64.tar.gz`,
    sha256: '5e3b603d47c447bda1f77f9ac16dbf91c90aac4ff3681f8fbbc7201e4ed99355',
  },
  'linux arm64': {
    archive: `nats-server-${VERSION}-linux-arm64.tar.gz`,
    sha256: '673a98d3faa79dde3f9ebf16d6dfac36a5f694e7ad2015e4954dd7939c85cd4c',
  },
  'win32 x64': {
    archive: `nats-server-${VERSION}-windows-amd64.zip`,
    sha256: 'f66f840a211ab665083b88e9b7edbcf6296cda143be47e53e6f6bb8520692bbb',
  },
}

const forThisMachine = RELEASES[`${process.platform} ${process.arch}`]

export const officialRelease = {
  step: 'Fetching the official nats-server',
  isOffered: () => forThisMachine !== undefined,
  fetchInto,
}

/**
 * @param {string} directory empty
 * @returns {Promise<string>} the path of the program
 */
async function fetchInto(directory) {
  const { archive, sha256 } = forThisMachine

  const url = `https://github.com/nats-io/nats-server/releases/download/${VERSION}/${archive}`
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) })
  if (!response.ok) throw new Error(`${url} responds with ${response.status}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error(`the checksum of ${archive} is wrong`)

  await writeFile(join(directory, archive), bytes)
  // The tar of Windows also extracts zip files.
  await run('tar', ['-xf', archive], { cwd: directory })
  return join(directory, archive.replace(/\.(tar\.gz|zip)$/, ''), NATS_SERVER)
}
