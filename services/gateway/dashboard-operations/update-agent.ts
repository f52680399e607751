import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { runCommand } from './run-command.ts'

export const updateAgent = operation({
  operationId: 'updateAgent',
  method: 'post',
  path: '/account/computers/{id}/agent-update',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Update an agent',
  description:
    'The agent installs the version that the installation offers, if the owner of the computer permits it. The computer shows the outcome: its new `agentVersion`, or the `failure` in `agentUpdate`.',
  errors: ['command_failed'],
  answer: { status: 204, description: 'The update has begun.' },
  handle:
    (gateway) =>
    async ({ tenant, ids }) => {
      await runCommand(gateway, { ...tenant, computerId: ids.id }, 'updateAgent', {})
    },
})
