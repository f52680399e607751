import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import type { Connect } from '../../launcher/connect-services.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import type { Options } from './commands.ts'
import { recordCommand } from './record-command.ts'

const DEFAULT_NAME = 'npm run admin'

export async function createKey(connect: Connect, { org = '', mode = '', scopes = '', name, expires }: Options) {
  const accounts = connect(AccountsService)
  const request = {
    organizationId: org,
    mode,
    scopes: scopes.split(','),
    name: name ?? DEFAULT_NAME,
    expiresAt: parseTime(expires),
  }
  const { key, apiKey } = await recordCommand(
    accounts,
    'createApiKey',
    { org, mode, getCreated: (created) => created.apiKey?.id },
    () => accounts.createApiKey(request),
  )
  return {
    id: apiKey?.id,
    key,
    prefix: apiKey?.prefix,
    mode: apiKey?.mode,
    scopes: apiKey?.scopes,
    expiresAt: timestampToJson(apiKey?.expiresAt),
  }
}

function parseTime(text: string | undefined) {
  const { success, data } = z.iso.datetime({ offset: true }).optional().safeParse(text)
  if (!success) throw new StartupError('`--expires` must be a time with a time zone: 2027-01-31T00:00:00Z for example.')
  return data === undefined ? undefined : timestampFromDate(new Date(data))
}

export async function listKeys(connect: Connect, { org = '' }: Options) {
  const { apiKeys } = await connect(AccountsService).listApiKeys({ organizationId: org })
  return {
    data: apiKeys.map(({ id, name, prefix, lastFour, mode, scopes, createdAt, ...times }) => ({
      id,
      name,
      prefix,
      lastFour: lastFour || null,
      mode,
      scopes,
      createdAt: timestampToJson(createdAt),
      lastUsedAt: timestampToJson(times.lastUsedAt),
      expiresAt: timestampToJson(times.expiresAt),
      revokedAt: timestampToJson(times.revokedAt),
    })),
  }
}

export async function revokeKey(connect: Connect, _options: Options, [id = '']: string[]) {
  const accounts = connect(AccountsService)
  const { apiKey } = await accounts.getApiKey({ apiKeyId: id })
  const { organizationId, mode } = apiKey ?? {}
  const revoked = await recordCommand(accounts, 'revokeApiKey', { org: organizationId, target: id, mode }, () =>
    accounts.revokeApiKey({ organizationId, apiKeyId: id }),
  )
  return { id, organizationId, revokedAt: timestampToJson(revoked.apiKey?.revokedAt) }
}
