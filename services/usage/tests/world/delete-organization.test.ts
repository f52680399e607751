import { create } from '@bufbuild/protobuf'
import { DeleteOrganizationRequestSchema } from '@platen/proto/gen/platen/operators/v1/organizations_pb.ts'
import { newMove } from '@platen/test/harness/new-move.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { recordPrints } from '../../record-prints.ts'
import { deleteOrganization } from '../../rpc/delete-organization.ts'

test('the deletion of an organization continues behind its cursor, and leaves the prints of others', async () => {
  const { pool, query, contexts } = await getWorld()
  const [organizationId, other] = [uuidv7(), uuidv7()]
  const prints = [organizationId, organizationId, organizationId, other].map((of) => ({
    ...{ eventId: uuidv7(), organizationId: of, jobId: uuidv7(), jobCreatedAt: new Date('2026-01-31T10:00:00Z') },
  }))
  await recordPrints(pool, prints, [], await newMove(pool, 'usage'))
  const remove = async (cursor?: string) => {
    const request = create(DeleteOrganizationRequestSchema, { organizationId, ...(cursor && { cursor }) })
    return (await deleteOrganization(contexts.usage, request)).removed
  }
  expect(await remove(prints[0]?.eventId)).toMatchObject({ ledger: 2, period_count: 1 })
  expect(await remove()).toMatchObject({ ledger: 1, period_count: 0 })
  expect(
    await query('SELECT event_id FROM usage.ledger WHERE organization_id = ANY ($1)', [[organizationId, other]]),
  ).toEqual([{ event_id: prints[3]?.eventId }])
})
