import { SecretEntity } from '../entities.ts'
import type { Webhooks } from '../webhooks.ts'

/** Takes secrets away whose time of grace is over. They sign nothing any more, sweep or not. */
export async function sweepSecrets({ orm, clock }: Pick<Webhooks, 'orm' | 'clock'>): Promise<void> {
  await orm.em.fork().nativeDelete(SecretEntity, { expiresAt: { $lte: clock.now() } })
}
