import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Finding, ok, problem } from './finding.ts'

/** Eight of the largest documents, the maximum in flight for one agent. */
const FREE_MIN_BYTES = 8 * 25 * 1024 * 1024

export async function examineDisk(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir))
    return [problem('disk', `The data directory ${dataDir} does not exist. Enrol this computer, or set --data-dir.`)]
  const probe = join(dataDir, `.doctor-${process.pid}`)
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK)
    writeFileSync(probe, '')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [
      problem(
        'disk',
        `The data directory is not writable: ${reason}. Run this command as the user of the agent, or fix the permissions.`,
      ),
    ]
  } finally {
    rmSync(probe, { force: true })
  }
  const { bavail, bsize } = await statfs(dataDir)
  const megabytes = Math.floor((bavail * bsize) / 1024 / 1024)
  if (bavail * bsize < FREE_MIN_BYTES)
    return [
      problem('disk', `Only ${megabytes} MB are free for ${dataDir}. Free some space: documents need up to 200 MB.`),
    ]
  return [ok('disk', `${dataDir} is writable and has ${megabytes} MB free.`)]
}
