import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ListRefusalsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { endPage } from '@platen/runtime/paging.ts'
import type { Accounts } from '../accounts.ts'
import { RefusalEntity } from '../entities.ts'

/** @throws ApiError `invalid_request` if `after` is invalid. */
export async function listRefusals({ orm }: Accounts, request: ListRefusalsRequest) {
  const { organizationId, mode, apiKeyId, page } = request
  const where = { organizationId, mode, ...(apiKeyId && { apiKeyId }), ...afterCursor('accounts', page) }
  const { rows, end } = endPage(page, await orm.em.fork().find(RefusalEntity, where, pageOptions(page)))
  const refusals = rows.map(({ commitSeq: _, at, ...facts }) => ({ ...facts, at: timestampFromDate(at) }))
  return { refusals, end }
}
