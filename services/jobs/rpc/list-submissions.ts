import {
  type ListSubmissionsRequest,
  type Submission,
  SubmissionSchema,
} from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { createBatches } from '@platen/runtime/batches.ts'
import { listColumns } from '@platen/runtime/database/row-to-message.ts'
import { SubmissionEntity } from '../entities.ts'
import type { Jobs } from '../jobs.ts'
import { submissionToProto } from '../jobs-to-proto.ts'

const LISTED_MAX = 100

const BATCH_MAX = 50

/** Single ones, which each document needs. Scans the index `ipp_submission_of_access`. */
const FIND = `
SELECT sought.ordinal, ${listColumns(SubmissionSchema, 'found')}, expires_at AS "expiresAt"
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[]) WITH ORDINALITY
  AS sought (organization_id, mode, created_by, number, ordinal)
JOIN jobs.ipp_submission AS found USING (organization_id, mode, created_by, number)`

type Sought = ListSubmissionsRequest & { number: number }

type Row = Parameters<typeof submissionToProto>[0] & { ordinal: string }

/** @returns the call. */
export function createSubmissionList({ pool, orm, clock }: Pick<Jobs, 'pool' | 'orm' | 'clock'>) {
  const toKey = ({ organizationId, mode, createdBy, number }: Sought) =>
    `${organizationId} ${mode} ${createdBy} ${number}`
  const find = createBatches<Sought, Row | null>({
    maxItems: BATCH_MAX,
    getKey: toKey,
    getOwner: ({ organizationId }) => organizationId,
    async run(all) {
      const columns = (['organizationId', 'mode', 'createdBy', 'number'] as const).map((name) =>
        all.map((one) => one[name]),
      )
      const { rows } = await pool.query<Row>({ name: 'find submissions', text: FIND, values: columns })
      const found = new Map(rows.map((row) => [Number(row.ordinal), row]))
      return new Map(all.map((one, n) => [toKey(one), found.get(n + 1) ?? null]))
    },
  })

  async function findNumbered(request: Sought): Promise<Row[]> {
    const { printerId, destinationId } = request
    const found = await find(request)
    const isSought =
      found !== null &&
      (printerId === undefined || found.printerId === printerId) &&
      (destinationId === undefined || found.destinationId === destinationId)
    return isSought ? [found] : []
  }

  /** Scans the index `ipp_submission_of_access`. */
  async function list(request: ListSubmissionsRequest, now: Date) {
    const { organizationId, mode, createdBy, printerId, destinationId, number, openOnly } = request
    const where = {
      organizationId,
      mode,
      createdBy,
      ...(printerId !== undefined && { printerId }),
      ...(destinationId !== undefined && { destinationId }),
      ...(number !== undefined && { number }),
      ...(openOnly && { endedAt: null, expiresAt: { $gt: now } }),
    }
    const options = { orderBy: { number: 'desc' }, limit: LISTED_MAX } as const
    return await orm.em.fork().find(SubmissionEntity, where, options)
  }

  return async (request: ListSubmissionsRequest): Promise<{ submissions: Submission[] }> => {
    const { number, openOnly } = request
    const now = clock.now()
    const isOne = number !== undefined && !openOnly
    const found = isOne ? await findNumbered({ ...request, number }) : await list(request, now)
    return { submissions: found.map((one) => submissionToProto(one, now)) }
  }
}
