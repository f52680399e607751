import { create } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { DeleteOrganizationRequestSchema } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { deleteOrganization } from '../../rpc/delete-organization.ts'
import { startTestDevices } from '../start-test-devices.ts'

test('the deletion of an organization removes its computers when their jobs have ended, its enrolments and destinations, and nothing of others', async () => {
  const organizations = [await startTestDevices(), await startTestDevices()] as const
  for (const { connect, devices, tenant } of organizations) {
    const { printer } = await connect()
    const settings = { policy: 'any', standbyAfter: 30, enabled: true }
    await devices.createDestination({ ...tenant, name: 'kitchen', printerIds: [printer.id], ...settings })
  }
  const [{ organizationId, world, sweep }, other] = organizations
  await other.devices.deleteComputer((await other.connect()).computerIds)
  const count = ({ query }: (typeof organizations)[number]) =>
    query(
      `SELECT (SELECT count(*)::int FROM devices.computer WHERE organization_id = $1) AS computer,
         (SELECT count(*)::int FROM devices.printer WHERE organization_id = $1) AS printer,
         (SELECT count(*)::int FROM devices.enrollment WHERE organization_id = $1) AS enrollment,
         (SELECT count(*)::int FROM devices.destination WHERE organization_id = $1) AS destination,
         (SELECT count(*)::int FROM devices.last_number WHERE organization_id = $1) AS last_number`,
    )
  const [before] = await count(other)
  expect(before).toMatchObject({ computer: 2, printer: 2, enrollment: 2, destination: 1 })
  const request = create(DeleteOrganizationRequestSchema, { organizationId })
  let isAway = true
  world.intercept(JobsService.method.endComputer, async (call, next) => {
    if (isAway) throw new ConnectError('away', Code.Unavailable)
    return await next(call)
  })
  expect(await deleteOrganization(world.contexts.devices, request)).toMatchObject({ isWaiting: true })
  isAway = false
  await waitFor(async () => {
    await sweep('deleted')
    expect(await deleteOrganization(world.contexts.devices, request)).toMatchObject({ isWaiting: false })
  })
  expect(await count(organizations[0])).toEqual([
    { computer: 0, printer: 0, enrollment: 0, destination: 0, last_number: 0 },
  ])
  expect(await count(other)).toEqual([before])
})
