import type { Api } from '@platen/test/harness/api.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import type { World } from '@platen/test/harness/world.ts'
import { expect } from 'vitest'

export async function readUsage(api: Api) {
  const { status, body } = await api.get('/v1/usage')
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** An organization with a live and a test printer. */
export async function startUsage(own?: World) {
  const organization = await newOrganization(own)
  const { world, api } = organization
  const [printer, testPrinter] = [await organization.addPrinter('live'), await organization.addPrinter('test')]
  return {
    ...organization,
    printer,
    liveJob: (changes = {}) => printJob(printer.id, changes),
    testJob: (changes = {}) => printJob(testPrinter.id, changes),
    /** Once all events of jobs are counted. */
    async expectPrints(used: number): Promise<void> {
      await untilVisible(world.pool)
      await world.sweep('usage', 'event logs')
      expect((await readUsage(api)).prints.used).toBe(used)
    },
  }
}
