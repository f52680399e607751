import type { ListSessionsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { SessionEntity } from '../entities.ts'
import { getValidityStarts, sessionToProto } from '../sessions.ts'

const LISTED_MAX = 1_000

export async function listSessions(accounts: Accounts, { userId }: ListSessionsRequest) {
  const [createdAfter, usedAfter] = getValidityStarts(accounts)
  const sessions = await accounts.orm.em
    .fork()
    .find(
      SessionEntity,
      { user: userId, createdAt: { $gt: createdAfter }, lastUsedAt: { $gt: usedAfter } },
      { populate: ['user'], orderBy: { lastUsedAt: 'desc', id: 'asc' }, limit: LISTED_MAX },
    )
  return {
    sessions: sessions.map(({ id, user, browser, ip, createdAt, lastUsedAt }) =>
      sessionToProto(accounts, { id, userId, email: user.email, browser, ip, createdAt, lastUsedAt }),
    ),
  }
}
