import { COMPUTER, computerToJson } from '@platen/resources/computer-schema.ts'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { required } from '../required.ts'

export const pauseComputer = operation({
  operationId: 'pauseComputer',
  method: 'post',
  path: '/account/computers/{id}/pause',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'Pause a computer',
  description:
    'Jobs that are created from now on, and those that its agent has not received, wait in `queued` until a user resumes the computer, or they expire.',
  answer: { status: 200, description: 'The computer.', schema: COMPUTER },
  handle:
    ({ devices }) =>
    async ({ tenant, ids }) => {
      const { computer } = await devices.pauseComputer({ ...tenant, computerId: ids.id, paused: true })
      return computerToJson(required(computer))
    },
})
