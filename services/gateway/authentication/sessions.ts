import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import type { AccountsService, Session as VerifiedSession } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Context } from 'koa'
import type { Role, Session } from '../caller.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../required.ts'
import { createLookUps, type LookUps } from './look-ups.ts'

/** Sessions, by the SHA-256 of their tokens. */
export type Sessions = LookUps<Session>

export interface SessionsOptions {
  accounts: Pick<Client<typeof AccountsService>, 'verifySessions'>
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

export const createSessions = ({ accounts, now }: SessionsOptions): Sessions =>
  createLookUps<Session>({
    async verify(hashes) {
      const { verified } = await accounts.verifySessions({ sessionSha256: hashes })
      return verified.map(({ sessionSha256, session }) => [sessionSha256, toSession(required(session))])
    },
    unknown: 'Your session has ended. Sign in again.',
    now,
  })

/** After a change of the session or its memberships by this gateway. Others see it within 5 s. */
export function deleteCachedSession({ sessions, cookies }: Pick<Gateway, 'sessions' | 'cookies'>, ctx: Context): void {
  const sha256 = cookies.session.read(ctx)
  if (sha256) sessions.delete(sha256)
}

export const toSession = ({ id, userId, email, memberships, createdAt, expiresAt }: VerifiedSession): Session => ({
  id,
  user: { id: userId, email },
  memberships: memberships.map(({ organization, role, signInRequired }) => ({
    organization: required(organization),
    role: role as Role,
    signInRequired,
  })),
  signedInAt: timestampDate(required(createdAt)),
  expiresAt: timestampDate(required(expiresAt)),
})
