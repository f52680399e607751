import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { RecordRefusalsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { RefusalEntity } from '../entities.ts'

export async function recordRefusals({ orm, clock }: Accounts, { refusals }: RecordRefusalsRequest) {
  const rows = refusals.map(({ $typeName: _, $unknown: __, at, ...facts }) => ({
    ...facts,
    at: at ? timestampDate(at) : clock.now(),
  }))
  if (rows.length > 0)
    await orm.em.fork().upsertMany(RefusalEntity, rows, { onConflictFields: ['id'], onConflictAction: 'ignore' })
  return {}
}
