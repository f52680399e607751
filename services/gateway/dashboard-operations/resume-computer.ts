import { COMPUTER, computerToJson } from '@platen/resources/computer-schema.ts'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { required } from '../required.ts'

export const resumeComputer = operation({
  operationId: 'resumeComputer',
  method: 'post',
  path: '/account/computers/{id}/resume',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'Resume a computer',
  description: 'The waiting jobs are sent in their order.',
  answer: { status: 200, description: 'The computer.', schema: COMPUTER },
  handle:
    ({ devices }) =>
    async ({ tenant, ids }) => {
      const { computer } = await devices.pauseComputer({ ...tenant, computerId: ids.id, paused: false })
      return computerToJson(required(computer))
    },
})
