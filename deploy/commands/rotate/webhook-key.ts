import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import type { Connect } from '../../launcher/connect-services.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import { recordCommand } from '../admin/record-command.ts'

interface Rotation {
  encrypted: number
  remaining: number
}

/**
 * Encrypts the secrets of all webhook endpoints with the first key of `PLATEN_WEBHOOK_KEY`. The log of each
 * organization gets it.
 *
 * @returns how many secrets it has encrypted.
 * @throws StartupError if another key is still needed.
 */
export async function rotateWebhookKey(connect: Connect): Promise<Rotation> {
  const accounts = connect(AccountsService)
  const { organizations } = await accounts.listOrganizations({})
  const org = organizations.map(({ id }) => id)
  return await recordCommand(accounts, 'rotateWebhookKey', { org }, () => reencryptSecrets(connect))
}

async function reencryptSecrets(connect: Connect): Promise<Rotation> {
  const endpoints = connect(EndpointsService)
  let [encrypted, remaining, afterId] = [0, 0, '']
  for (;;) {
    const batch = await endpoints.reencryptSecrets({ afterId })
    encrypted += batch.encrypted
    remaining += batch.remaining
    afterId = batch.lastId
    if (afterId !== '') continue
    if (remaining === 0) return { encrypted, remaining }
    throw new StartupError(
      `${remaining} secrets are not encrypted with the first key of PLATEN_WEBHOOK_KEY. Keep the other keys. Repeat the command when all replicas run with the new list. Then the log names the endpoints whose secrets no key of the list decrypts.`,
    )
  }
}
