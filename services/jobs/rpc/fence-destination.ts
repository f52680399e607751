import type { FenceDestinationRequest } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Jobs } from '../jobs.ts'

/** Waits for claims that have begun by an earlier revision, because they share the row. */
const RAISE_FENCE = `
INSERT INTO jobs.destination_fence AS fence (destination_id, revision) VALUES ($1, $2)
ON CONFLICT (destination_id) DO UPDATE SET revision = excluded.revision WHERE fence.revision < excluded.revision`

/** Later claims by an earlier revision of the destination get no job. */
export async function fenceDestination({ pool }: Jobs, { destinationId, revision }: FenceDestinationRequest) {
  await pool.query(RAISE_FENCE, [destinationId, revision])
  return {}
}
