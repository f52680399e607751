import { AgentTrigger } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { newOrganization } from '@platen/test/harness/organization.ts'
import { untilVisible } from '@platen/test/harness/until-visible.ts'
import type { World } from '@platen/test/harness/world.ts'
import { expect } from 'vitest'
import { addRecentCounts } from '../timers/add-recent-counts.ts'

/** An organization with two printers. */
export async function startStatistics(own?: World) {
  const organization = await newOrganization(own)
  const { world } = organization
  const [till, office] = [await organization.addPrinter(), await organization.addPrinter()]
  const epoch = 1n
  const update = async ({ computerId }: typeof till, jobId: string, trigger: AgentTrigger, facts = {}) =>
    await world.jobs.recordAgentUpdates({ updates: [{ jobId, computerId, epoch, attempt: 1, trigger, ...facts }] })
  const list = async (query: string, api = organization.api) => {
    const { status, body } = await api.get(`/v1/statistics${query}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }
  return {
    ...organization,
    till,
    office,
    list,
    /** Counts all jobs. */
    async count() {
      await untilVisible(world.pool)
      await world.sweep('usage', 'event logs')
      // Without the delay that events of earlier tests cause.
      await addRecentCounts(world.pool, { isComplete: true })
    },
    listData: async (query: string) => (await list(query)).data,
    /** Printed, with 2 s to the printer and 8 s in all, or failed with reasons. */
    async end(printer: typeof till, facts = {}, reasons?: string[], confirmedBy?: string) {
      const { computerId } = printer
      const jobId = await organization.createJob(printer, facts)
      await world.jobs.reconcileComputer({ computerId, epoch, heldJobIds: [] })
      await world.jobs.claimJobs({ claims: [{ computerId, epoch, limit: 8 }] })
      await update(printer, jobId, AgentTrigger.ACKNOWLEDGE)
      if (reasons) return await update(printer, jobId, AgentTrigger.FAIL, { reasons })
      world.advance(2_000)
      await update(printer, jobId, AgentTrigger.PRINT)
      world.advance(6_000)
      await update(printer, jobId, AgentTrigger.COMPLETE, { confirmedBy })
    },
  }
}
