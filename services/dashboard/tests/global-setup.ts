import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SharedInstallation } from '@platen/test/api/global-setup.ts'
import type { TestProject } from 'vitest/node'
import { offerPackages } from './agent-packages.ts'
import { chromiumPath } from './chromium.ts'
import { createExpiringJob } from './expiring-job.ts'

/** @throws in CI without a browser, where skipped tests would go unnoticed. */
declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of packages of the agent. It has one for Linux. */
    agentPackages: string
  }
}

export default async function setup({ vitest }: TestProject): Promise<void> {
  if (chromiumPath) {
    // Tests read the answers of their receivers, which are on this machine.
    process.env.PLATEN_ALLOWED_NETWORKS_DETAILS = 'on'
    const agentPackages = await mkdtemp(join(tmpdir(), 'platen-agent-packages-'))
    process.env.PLATEN_AGENT_PACKAGES_DIR = agentPackages
    await offerPackages(agentPackages, ['linux-x64.deb'])
    vitest.provide('agentPackages', agentPackages)
    const { installationUrl } = vitest.getProvidedContext()
    const installation = (await (await fetch(installationUrl)).json()) as SharedInstallation
    vitest.provide('expiring', await createExpiringJob(installation))
    return
  }
  const message = 'The tests of the dashboard need Chromium: install the package `chromium`, or set PLATEN_CHROMIUM.'
  if (process.env.CI) throw new Error(message)
  console.warn(`${message} They are skipped.`)
}
