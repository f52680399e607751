import type { EndOtherSessionsRequest } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from '../accounts.ts'
import { KnownBrowserEntity, SessionEntity } from '../entities.ts'

/** The other browsers are no longer known, because one of them may be stolen. */
export async function endOtherSessions({ orm }: Accounts, { userId: user, keptSessionId }: EndOtherSessionsRequest) {
  await orm.em.fork().transactional(async (em) => {
    await em.nativeDelete(SessionEntity, { user, id: { $ne: keptSessionId } })
    const kept = await em.findOne(SessionEntity, { user, id: keptSessionId })
    await em.nativeDelete(KnownBrowserEntity, {
      user,
      ...(kept && { tokenSha256: { $ne: kept.knownBrowserSha256 } }),
    })
  })
  return {}
}
