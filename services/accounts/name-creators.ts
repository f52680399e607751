import type { EntityManager } from '@mikro-orm/postgresql'
import type { ApiKey as ApiKeyMessage } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { apiKeyToProto, type KeyFacts } from './accounts-to-proto.ts'
import { UserEntity } from './entities.ts'

/** @returns the keys with the addresses of the users who created them. */
export async function nameCreators(em: EntityManager, keys: KeyFacts[]): Promise<ApiKeyMessage[]> {
  const users = await em.find(
    UserEntity,
    keys.flatMap(({ createdBy }) => createdBy ?? []),
  )
  const emails = new Map(users.map(({ id, email }) => [id, email]))
  return keys.map((key) => apiKeyToProto({ ...key, createdByEmail: emails.get(key.createdBy ?? '') }))
}
