import type { Diagnostics } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation.ts'

export const DIAGNOSTICS = z
  .object({
    id: z.guid(),
    createdAt: z.string(),
    /** Plain text of the agent, which is not trusted. */
    text: z.string(),
  })
  .meta({ id: 'Diagnostics' })

export const diagnosticsToJson = ({ id, createdAt, text }: Diagnostics) => ({
  id,
  createdAt: timestampToJson(createdAt) ?? '',
  text,
})

export const listDiagnostics = operation({
  operationId: 'listDiagnostics',
  method: 'get',
  path: '/account/computers/{id}/diagnostics',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'List diagnostics',
  description: 'What the agent of the computer has sent on request within 14 days, the newest first.',
  answer: { status: 200, description: 'The diagnostics.', schema: z.object({ data: z.array(DIAGNOSTICS) }) },
  handle:
    ({ devices }) =>
    async ({ tenant, ids }) => {
      const { diagnostics } = await devices.listDiagnostics({ ...tenant, computerId: ids.id })
      return { data: diagnostics.map(diagnosticsToJson) }
    },
})
