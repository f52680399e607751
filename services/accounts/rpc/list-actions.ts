import { timestampDate } from '@bufbuild/protobuf/wkt'
import { ActionSchema, type ListActionsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { afterCursor, pageOptions } from '@platen/runtime/database/list-page.ts'
import { rowToMessage } from '@platen/runtime/database/row-to-message.ts'
import { endPage } from '@platen/runtime/paging.ts'
import type { Accounts } from '../accounts.ts'
import { AuditEntity } from '../entities.ts'

/** @throws ApiError `invalid_request` if `after` is invalid. */
export async function listActions(accounts: Accounts, request: ListActionsRequest) {
  const { logId, page, action, actorId, since, until } = request
  const where = {
    logId,
    ...(action && { action }),
    ...(actorId && { actorId }),
    $and: [
      afterCursor('accounts', page),
      ...(await toTimeRange(accounts, since && timestampDate(since), until && timestampDate(until))),
    ],
  }
  const { rows, end } = endPage(page, await accounts.orm.em.fork().find(AuditEntity, where, pageOptions(page)))
  return { actions: rows.map((row) => rowToMessage(ActionSchema, row)), end }
}

/**
 * Entries whose times are further apart than this are listed in the order of their times. A statement and its wait for
 * a connection take at most about 15 s (`connection-settings.ts`). The remainder covers clock differences between
 * replicas.
 */
const OUT_OF_ORDER_MAX_MS = 6 * 60_000

/**
 * Looks up bounds of `commitSeq` in the index `audit_age`. Ids do not serve: the id of a sign-in is that of its
 * session, which can be months older.
 *
 * @param since inclusive.
 * @param until exclusive.
 * @returns conditions. Those on `commitSeq` follow from those on `at`, and are where the scan of each index of the list
 *   starts and ends.
 */
async function toTimeRange({ orm }: Accounts, since: Date | undefined, until: Date | undefined): Promise<object[]> {
  const em = orm.em.fork()
  const find = (where: object, at: 'asc' | 'desc') =>
    em.findOne(AuditEntity, where, { fields: ['commitSeq'], orderBy: { at } })
  const conditions: object[] = []
  if (since) {
    const before = await find({ at: { $lt: new Date(since.getTime() - OUT_OF_ORDER_MAX_MS) } }, 'desc')
    conditions.push({ at: { $gte: since } }, ...(before ? [{ commitSeq: { $gte: before.commitSeq } }] : []))
  }
  if (until) {
    const after = await find({ at: { $gte: new Date(until.getTime() + OUT_OF_ORDER_MAX_MS) } }, 'asc')
    conditions.push({ at: { $lt: until } }, ...(after ? [{ commitSeq: { $lte: after.commitSeq } }] : []))
  }
  return conditions
}
