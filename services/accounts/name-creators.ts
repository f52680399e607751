import type { EntityManager } from '@mikro-orm/postgresql'
import type { ApiKey as ApiKeyMessage } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { apiKeyToProto, type KeyFacts } from './accounts-to-proto.ts'
import { UserEntity } from './entities.ts'

/** @returns the keys with the addresses of the users who created them, and of those who print with them. */
export async function nameCreators(em: EntityManager, keys: KeyFacts[]): Promise<ApiKeyMessage[]> {
  const users = await em.find(
    UserEntity,
    keys.flatMap(({ createdBy, userId }) => [createdBy ?? [], userId ?? []].flat()),
  )
  const emails = new Map(users.map(({ id, email }) => [id, email]))
  const getEmail = (userId: string | null | undefined) => emails.get(userId ?? '')
  return keys.map((key) =>
    apiKeyToProto({ ...key, createdByEmail: getEmail(key.createdBy), userEmail: getEmail(key.userId) }),
  )
}
