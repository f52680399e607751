import type { ApiKey as ApiKeyMessage } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import type { Accounts } from './accounts.ts'
import { apiKeyToProto, type KeyFacts } from './accounts-to-proto.ts'

const FIND_USERS = 'SELECT id, email FROM accounts.user WHERE id = ANY ($1::uuid[])'

/** @returns the keys with the addresses of the users who created them. */
export async function nameCreators({ pool }: Pick<Accounts, 'pool'>, keys: KeyFacts[]): Promise<ApiKeyMessage[]> {
  const ids = keys.flatMap(({ createdBy }) => createdBy ?? [])
  const { rows } = await pool.query<{ id: string; email: string }>(FIND_USERS, [ids])
  const emails = new Map(rows.map(({ id, email }) => [id, email]))
  return keys.map((key) => apiKeyToProto({ ...key, createdByEmail: emails.get(key.createdBy ?? '') }))
}
