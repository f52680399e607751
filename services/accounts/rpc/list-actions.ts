import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ListActionsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { endPage } from '@platen/runtime/paging.ts'
import type { Accounts } from '../accounts.ts'
import { AuditEntity } from '../entities.ts'

/** @throws ApiError `invalid_request` if `after` is invalid. */
export async function listActions({ orm }: Accounts, { logId, page, action, actorId }: ListActionsRequest) {
  const where = {
    logId,
    ...(action && { action }),
    ...(actorId && { actorId }),
    ...afterCursor('accounts', page),
  }
  const { rows, end } = endPage(page, await orm.em.fork().find(AuditEntity, where, pageOptions(page)))
  const actions = rows.map(({ logId: _, commitSeq: __, at, actorId, target, targetName, mode, outcome, ...facts }) => ({
    ...facts,
    at: timestampFromDate(at),
    actorId: actorId ?? '',
    target: target ?? '',
    targetName: targetName ?? '',
    mode: mode ?? '',
    outcome: outcome ?? '',
  }))
  return { actions, end }
}
