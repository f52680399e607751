import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** For one test. Deleted at its end. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-deploy-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
