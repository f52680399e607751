import type { GetEventRequest } from '@platen/proto/gen/platen/webhooks/v1/events_pb.ts'
import { lowestId } from '@platen/runtime/database/partitions.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import type { Webhooks } from '../webhooks.ts'

/** @throws ApiError `not_found`, also for an event of another organization or mode, or after its retention time. */
export async function getEvent(
  { pool, clock, eventRetentionMs }: Webhooks,
  { organizationId, mode, eventId }: GetEventRequest,
) {
  const retainedSince = new Date(clock.now().getTime() - eventRetentionMs)
  const { rows } = await pool.query<{ body: string }>({
    name: 'get event',
    text: `SELECT body FROM webhooks.event WHERE id = $1 AND organization_id = $2 AND mode = $3 AND id >= $4::uuid`,
    values: [eventId, organizationId, mode, lowestId(retainedSince)],
  })
  const [event] = rows
  if (!event) throw new ApiError('not_found', 'There is no event with this id, or its retention time has ended.')
  return { event: event.body }
}
