import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, ok, problem } from './finding.ts'

/** Eight of the largest documents: as many as can be on their way to one agent. */
const FREE_MIN_BYTES = 8 * 25 * 1024 * 1024

export async function examineDisk(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir))
    return [problem('disk', `There is no data directory ${dataDir}: enrolling makes it, or name another --data-dir.`)]
  const probe = join(dataDir, `.doctor-${process.pid}`)
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK)
    writeFileSync(probe, '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      problem(
        'disk',
        `The data directory cannot be written to: ${reason}. Run this as the agent's own user, or mend its rights.`,
      ),
    ]
  } finally {
    rmSync(probe, { force: true })
  }
  const { bavail, bsize } = await statfs(dataDir)
  const megabytes = Math.floor((bavail * bsize) / 1024 / 1024)
  if (bavail * bsize < FREE_MIN_BYTES)
    return [problem('disk', `Only ${megabytes} MB are free for ${dataDir}: make room, documents need up to 200 MB.`)]
  return [ok('disk', `${dataDir} can be written to and has ${megabytes} MB free.`)]
}
