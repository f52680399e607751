/** The members of organizations and their roles. Guide: docs/admin.md. */
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { MemberSchema } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'

export const ROLES = ['owner', 'admin', 'member'] as const

export interface Member {
  userId: string
  email: string
  role: (typeof ROLES)[number]
  createdAt: Date
}

/** SQL: the fields of `Member`, of a `membership` joined with its `user`. */
export const MEMBER_COLUMNS = `
  membership.user_id AS "userId", email, role, membership.created_at AS "createdAt"`

export const memberToProto = ({ createdAt, ...facts }: Member) =>
  create(MemberSchema, { ...facts, createdAt: timestampFromDate(createdAt) })
