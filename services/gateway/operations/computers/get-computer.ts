import { COMPUTER, computerToJson } from '@platen/resources/computer-schema.ts'
import { operation } from '../../operation/operation.ts'
import { required } from '../../required.ts'

export const getComputer = operation({
  operationId: 'getComputer',
  method: 'get',
  path: '/v1/computers/{id}',
  ids: { id: 'computer' },
  scope: 'read',
  tag: 'Computers',
  summary: 'Read a computer',
  description: 'Returns the computer and whether its agent is connected.',
  answer: { status: 200, description: 'The computer.', schema: COMPUTER },
  handle:
    ({ devices }) =>
    async ({ tenant, ids }) => {
      const { computer } = await devices.getComputer({ ...tenant, computerId: ids.id })
      return computerToJson(required(computer))
    },
})
