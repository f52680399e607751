import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { required } from '../required.ts'
import { DIAGNOSTICS, diagnosticsToJson } from './list-diagnostics.ts'
import { TIMEOUT_MS } from './run-command.ts'

export const collectDiagnostics = operation({
  operationId: 'collectDiagnostics',
  method: 'post',
  path: '/account/computers/{id}/diagnostics',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  // The computer can belong to another person.
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Ask for diagnostics',
  description:
    'The agent sends its configuration, state, checks and newest log lines as text, without credentials, titles, paths and documents. The newest 3 are kept for 14 days.',
  errors: ['command_failed'],
  answer: { status: 201, description: 'The diagnostics.', schema: DIAGNOSTICS },
  handle:
    ({ devices }) =>
    async ({ tenant, ids }) => {
      const computer = { ...tenant, computerId: ids.id }
      const { diagnostics } = await devices.collectDiagnostics(computer, { timeoutMs: TIMEOUT_MS })
      return diagnosticsToJson(required(diagnostics))
    },
})
