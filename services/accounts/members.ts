/** The members of organizations and their roles. Guide: docs/admin.md. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { MemberSchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import { z } from 'zod'

export const ROLES = ['owner', 'admin', 'member'] as const

export const roleField = z.enum(ROLES, `must be one of ${ROLES.join(', ')}`)

export interface Member {
  userId: string
  email: string
  role: (typeof ROLES)[number]
  createdAt: Date
  lastSignInAt: Date | null
}

/** SQL: the fields of `Member`, of a `membership` joined with its `user`. */
export const MEMBER_COLUMNS = `
  membership.user_id AS "userId", email, role, membership.created_at AS "createdAt",
  last_sign_in_at AS "lastSignInAt"`

export const memberToProto = ({ createdAt, lastSignInAt, ...facts }: Member) =>
  create(MemberSchema, {
    ...facts,
    createdAt: timestampFromDate(createdAt),
    lastSignInAt: timestampOrNone(lastSignInAt),
  })
