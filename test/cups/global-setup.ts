/**
 * One CUPS without queues for the agent's tests. Where CUPS cannot be had, its tests are skipped; in CI that is an
 * error.
 */
import type { TestProject } from 'vitest/node'
import { whyNoCups } from './find-cups.ts'
import { type CupsAddress, startCupsServer } from './start-cups.ts'

declare module 'vitest' {
  interface ProvidedContext {
    cups: CupsAddress | null
  }
}

export default async function setup(project: TestProject) {
  const cups = (await whyNoCups()) ? undefined : await startCupsServer()
  const { server, socketPath, busSocketPath, directory } = cups ?? {}
  project.provide('cups', cups ? ({ server, socketPath, busSocketPath, directory } as CupsAddress) : null)
  return () => cups?.stop()
}
