/**
 * The audit log of an organization has a sign-in when its session is first used for it. Reference:
 * docs/reference/sessions.md#audit.sign-in.
 */
import type { Client } from '@connectrpc/connect'
import type { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { createExpiringMap } from '@platen/runtime/cache.ts'
import type { Context } from 'koa'
import type { Caller } from '../caller.ts'
import type { GetClientAddress } from '../client-address.ts'
import type { RequestState } from '../context.ts'

/** Pairs of a session and an organization, about 2 MB. */
const RECORDED_MAX = 10_000
const DAY_MS = 24 * 60 * 60_000

/** Does nothing for API keys. @throws ApiError `service_unavailable` if the sign-in cannot be recorded. */
export type RecordEntry = (ctx: Pick<Context, 'req'> & { state: RequestState }, caller: Caller) => Promise<void>

interface EntryRecorderOptions {
  accounts: Pick<Client<typeof AccountsService>, 'beginAction'>
  getClientAddress: GetClientAddress
}

/** Each gateway records it, with the id of the session, so that the log has it once. */
export function createEntryRecorder({ accounts, getClientAddress }: EntryRecorderOptions): RecordEntry {
  const recorded = createExpiringMap<true>({ ttlMs: DAY_MS, max: RECORDED_MAX })
  return async ({ req, state }, { organization, credential }) => {
    if (credential.kind !== 'session') return
    const { id, user } = credential
    const entry = `${id} ${organization.id}`
    if (recorded.get(entry)) return
    const action = {
      id,
      actorKind: 'user',
      actorId: user.id,
      actorName: user.email,
      action: 'finishSignIn',
      target: id,
    }
    const facts = { outcome: 'ok', requestId: state.requestId, ip: getClientAddress(req) }
    await accounts.beginAction({ logIds: [organization.id], action: { ...action, ...facts } })
    recorded.set(entry, true)
  }
}
