/** Agents of a suspended organization. */
import { proves } from '@platen/test/harness/rules.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'

test('agents of a suspended organization stay connected, get no jobs and cannot be enrolled; the jobs are sent when it is resumed', async () => {
  proves('orgs.suspended.agents')
  const { world, organizationId, connect, getState, devices, sweep } = await startTestDevices()
  const { agent, createJob } = await connect()
  const others = await startTestDevices()
  const other = await others.connect()
  const setSuspended = async (isSuspended: boolean) => {
    await world.accounts.setSuspended({ organizationId, isSuspended })
    await sweep('suspended organizations')
    await world.sweep('jobs', 'announce waiting')
  }
  await setSuspended(true)
  const jobId = await createJob()
  await setSuspended(true)
  const otherJobId = await other.createJob()
  await waitFor(() => expect(other.agent.prints()).toContain(otherJobId))
  expect([agent.prints(), await getState(jobId)]).toEqual([[], 'queued'])
  const { token } = await devices.createEnrollment({ organizationId, maxUses: 1, expiresInSeconds: 900 })
  const enrolling = devices.enroll({ token, name: 'Till', organizationId })
  await expect(enrolling).rejects.toMatchObject({ code: 'organization_suspended' })
  await setSuspended(false)
  await waitFor(() => expect(agent.prints()).toEqual([jobId]))
})
