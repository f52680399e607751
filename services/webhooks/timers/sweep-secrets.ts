import { SecretEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

/** Deletes expired secrets, which are not used for signatures any more. */
export async function sweepSecrets({ orm, clock }: Pick<Webhooks, 'orm' | 'clock'>): Promise<void> {
  await orm.em.fork().nativeDelete(SecretEntity, { expiresAt: { $lte: clock.now() } })
}
