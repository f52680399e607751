import type { ApiKey } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { id, mode, timestamp } from '@platen/resources/fields.ts'
import { createToJson, emptyAsNull } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { ROLES } from '../../caller.ts'
import { operation } from '../../operation/operation.ts'
import { getOwnUser } from './own-user.ts'

const MEMBER = z
  .object({
    id: id().meta({ description: 'The id of the member.', example: EXAMPLE_IDS.event }),
    email: z
      .string()
      .nullable()
      .meta({ description: 'The e-mail address. Null if a key asks.', example: 'anna@example.com' }),
  })
  .meta({ id: 'PrintAccessUser', description: 'The member who prints with a print access.' })

export const PRINT_ACCESS = z
  .object({
    id: id().meta({ description: 'The id of the print access.', example: EXAMPLE_IDS.enrollment }),
    name: z.string().meta({ description: 'The name for people.', example: "Anna's laptop" }),
    mode: mode('The mode of the printers and jobs.'),
    printerIds: z.array(id()).nullable().meta({
      description: 'The printers on which it prints, while they are shared. Null: all shared printers.',
      example: null,
    }),
    user: MEMBER.nullable().meta({
      description: 'The member who prints with it, and with whose membership it ends. Null: none.',
      example: { id: EXAMPLE_IDS.event, email: 'anna@example.com' },
    }),
    lastFour: z.string().nullable().meta({ description: 'The last four characters of the secret.', example: 'q7xm' }),
    createdAt: timestamp().meta({ description: 'The time of its creation.', example: '2026-03-02T09:30:00.000Z' }),
    lastUsedAt: timestamp()
      .nullable()
      .meta({ description: 'The time of its last use, accurate to one minute. Null before the first.', example: null }),
    revokedAt: timestamp()
      .nullable()
      .meta({ description: 'The time of its revocation. Null while it is valid.', example: null }),
  })
  .meta({ id: 'PrintAccessKey', description: 'A secret with which a computer prints.' })

const PRINT_ACCESSES = z
  .object({ data: z.array(PRINT_ACCESS).meta({ description: 'The valid ones first, each the newest first.' }) })
  .meta({ id: 'PrintAccessKeyList', description: 'Print accesses. This list has no pages.' })

export const listPrintAccess = operation({
  operationId: 'listPrintAccess',
  method: 'get',
  path: '/v1/print-access',
  scope: 'admin',
  roles: ROLES,
  tag: 'Print access',
  summary: 'List print accesses',
  description: 'The print accesses of the mode, at most 1,000. A member sees only their own.',
  answer: { status: 200, description: 'The print accesses.', schema: PRINT_ACCESSES },
  handle:
    ({ accounts }) =>
    async ({ ctx, tenant }) => {
      const { apiKeys } = await accounts.listApiKeys({ ...tenant, kind: 'print', userId: getOwnUser(ctx) })
      return { data: apiKeys.map((access) => printAccessToJson(ctx, access)) }
    },
})

const toJson = createToJson<ApiKey, typeof PRINT_ACCESS>(PRINT_ACCESS, {
  ...emptyAsNull('lastFour'),
  printerIds: ({ printerIds }) => (printerIds.length === 0 ? null : printerIds),
  user: ({ userId, userEmail }) => (userId ? { id: userId, email: userEmail || null } : null),
})

/** A key learns no addresses, as in other answers. */
export const printAccessToJson = (ctx: Parameters<typeof getOwnUser>[0], access: ApiKey) =>
  toJson(ctx.state.caller?.credential.kind === 'key' ? { ...access, userEmail: '' } : access)
