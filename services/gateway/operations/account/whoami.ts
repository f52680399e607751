import { EXAMPLE_IDS } from '@platen/resources/example-of.ts'
import { id, mode, timestamp } from '@platen/resources/fields.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import { SCOPES } from '../../authentication/require-permission.ts'
import type { Caller } from '../../caller.ts'
import { getCaller } from '../../context.ts'
import { operation } from '../../operation/operation.ts'

const IDENTITY = z
  .object({
    organization: z
      .object({
        id: id().meta({ description: 'The id of the organization.', example: EXAMPLE_IDS.organization }),
        name: z.string().meta({ description: 'The name of the organization.', example: 'Corner Shop Ltd' }),
      })
      .meta({ description: 'The organization whose data the credential can access.' }),
    mode: mode('The mode of the credential.'),
    apiKey: z
      .object({
        id: id().meta({ description: 'The id of the key.', example: EXAMPLE_IDS.apiKey }),
        name: z.string().meta({ description: 'The name of the key.', example: 'Shop' }),
        prefix: z.string().meta({
          description: 'The first characters of the key, which identify it for people.',
          example: 'platen_live_4mGz',
        }),
        scopes: z.array(z.enum(SCOPES)).meta({
          description: 'The permitted operations. `admin` permits all.',
          example: ['read', 'print'],
        }),
        createdAt: timestamp().meta({ description: 'The time of its creation.', example: '2026-02-26T16:20:05.000Z' }),
      })
      .meta({ id: 'IdentityApiKey', description: 'An API key.' })
      .nullable()
      .meta({ description: 'The key of the request. Null for a user of the dashboard.' }),
    user: z
      .object({
        id: id().meta({ description: 'The id of the user.' }),
        email: z.string().meta({ description: 'The e-mail address of the user.' }),
        role: z.enum(['owner', 'admin', 'member']).meta({ description: 'The permissions of the user.' }),
      })
      .meta({ id: 'IdentityUser', description: 'A user of the dashboard.' })
      .nullable()
      .meta({ description: 'The user of the dashboard. Null for a key.', example: null }),
    installation: z
      .object({
        printNode: z.boolean().meta({
          description: 'Whether programs that speak to PrintNode can print (`PLATEN_PRINTNODE_API`).',
          example: false,
        }),
        documentPreview: z.boolean().meta({
          description:
            'Whether documents can be read by `GET /v1/printjobs/{id}/document` (`PLATEN_DOCUMENT_PREVIEW`).',
          example: true,
        }),
      })
      .meta({
        id: 'IdentityInstallation',
        description: 'The optional parts that the operator of the service has switched on.',
      }),
  })
  .meta({ id: 'Identity', description: 'The identity of the caller. Exactly one of `apiKey` and `user` is set.' })

export const whoami = operation({
  operationId: 'whoami',
  method: 'get',
  path: '/v1/whoami',
  scope: null,
  tag: 'Account',
  summary: 'Check a key',
  description:
    'Checks the key and returns its organization, mode and scopes, and what the installation has switched on.',
  answer: { status: 200, description: 'The identity of the caller.', schema: IDENTITY },
  handle:
    ({ printNode, documentPreview }) =>
    ({ ctx }) => {
      const { organization, mode, credential } = getCaller(ctx)
      return {
        organization: { id: organization.id, name: organization.name },
        mode,
        ...credentialToJson(credential),
        installation: { printNode: printNode !== undefined, documentPreview },
      }
    },
})

function credentialToJson(credential: Caller['credential']) {
  if (credential.kind === 'session') return { apiKey: null, user: { ...credential.user, role: credential.role } }
  if (credential.kind === 'print') return { apiKey: null, user: null }
  const { id, name, prefix, scopes, createdAt } = credential.apiKey
  return { apiKey: { id, name, prefix, scopes, createdAt: timestampToJson(createdAt) }, user: null }
}
