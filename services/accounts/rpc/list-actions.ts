import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { ListActionsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { endPage } from '@platen/runtime/paging.ts'
import type { Accounts } from '../accounts.ts'
import { AuditEntity } from '../entities.ts'

const FIND_NAMES = `
SELECT id, email AS name FROM accounts.user WHERE id = ANY ($1::uuid[])
UNION ALL SELECT id, name FROM accounts.api_key WHERE id = ANY ($1::uuid[])`

/** @throws ApiError `invalid_request` if `after` is invalid. */
export async function listActions(
  { orm, pool }: Accounts,
  { organizationId, page, action, actorId }: ListActionsRequest,
) {
  const where = {
    organizationId,
    ...(action && { action }),
    ...(actorId && { actorId }),
    ...afterCursor('accounts', page),
  }
  const { rows, end } = endPage(page, await orm.em.fork().find(AuditEntity, where, pageOptions(page)))
  const targets = rows.flatMap(({ target }) => target ?? [])
  const found = await pool.query<{ id: string; name: string }>(FIND_NAMES, [targets])
  const names = new Map(found.rows.map(({ id, name }) => [id, name]))
  const actions = rows.map(({ organizationId: _, commitSeq: __, at, actorId, target, mode, outcome, ...facts }) => ({
    ...facts,
    at: timestampFromDate(at),
    actorId: actorId ?? '',
    target: target ?? '',
    targetName: names.get(target ?? '') ?? '',
    mode: mode ?? '',
    outcome: outcome ?? '',
  }))
  return { actions, end }
}
