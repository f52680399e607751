import type { SharedInstallation } from '@platen/test/api/global-setup.ts'
import type { TestProject } from 'vitest/node'
import { chromiumPath } from './chromium.ts'
import { createExpiringJob } from './expiring-job.ts'

/** @throws in CI without a browser, where skipped tests would go unnoticed. */
export default async function setup({ vitest }: TestProject): Promise<void> {
  if (chromiumPath) {
    // Tests read the answers of their receivers, which are on this machine.
    process.env.PLATEN_ALLOWED_NETWORKS_DETAILS = 'on'
    const { installationUrl } = vitest.getProvidedContext()
    const installation = (await (await fetch(installationUrl)).json()) as SharedInstallation
    vitest.provide('expiring', await createExpiringJob(installation))
    return
  }
  const message = 'The tests of the dashboard need Chromium: install the package `chromium`, or set PLATEN_CHROMIUM.'
  if (process.env.CI) throw new Error(message)
  console.warn(`${message} They are skipped.`)
}
