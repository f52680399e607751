import { type ListRefusalsRequest, RefusalSchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import { endPage } from '@platen/runtime/paging.ts'
import type { Accounts } from '../accounts.ts'
import { RefusalEntity } from '../entities.ts'

/** @throws ApiError `invalid_request` if `after` is invalid. */
export async function listRefusals({ orm }: Accounts, request: ListRefusalsRequest) {
  const { organizationId, mode, apiKeyId, page } = request
  const where = { organizationId, mode, ...(apiKeyId && { apiKeyId }), ...afterCursor('accounts', page) }
  const { rows, end } = endPage(page, await orm.em.fork().find(RefusalEntity, where, pageOptions(page)))
  return { refusals: rows.map((row) => rowToMessage(RefusalSchema, row)), end }
}
