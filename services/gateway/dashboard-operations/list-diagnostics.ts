import type { Diagnostics } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { id, timestamp } from '@platen/resources/fields.ts'
import { createToJson } from '@platen/resources/to-json.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'

export const DIAGNOSTICS = z
  .object({
    id: id(),
    createdAt: timestamp(),
    /** Plain text of the agent, which is not trusted. */
    text: z.string(),
  })
  .meta({ id: 'Diagnostics' })

export const diagnosticsToJson = createToJson<Diagnostics, typeof DIAGNOSTICS>(DIAGNOSTICS, {})

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
