import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCUMENT_MAX_BYTES } from '@platen/proto/agent-bounds.ts'
import { getFreeBytes } from '../disk.ts'
import { type Finding, ok, problem } from './finding.ts'

/** Eight of the largest documents, the maximum in flight for one agent. */
const DOCUMENTS_BYTES = 8 * DOCUMENT_MAX_BYTES

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
  const freeBytes = await getFreeBytes(dataDir)
  const megabytes = toMegabytes(freeBytes)
  if (freeBytes < 0)
    return [
      problem(
        'disk',
        `The disk with ${dataDir} is full, and jobs wait. Free some space: the agent leaves 500 MB free, or 5 % of a smaller disk.`,
      ),
    ]
  if (freeBytes < DOCUMENTS_BYTES)
    return [
      problem(
        'disk',
        `Documents can use only ${megabytes} MB of ${dataDir}. Free some space: they need up to ${toMegabytes(DOCUMENTS_BYTES)} MB.`,
      ),
    ]
  return [ok('disk', `${dataDir} is writable, and documents can use ${megabytes} MB.`)]
}

const toMegabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)
