import { operation } from '../../operation/operation.ts'

export const deleteComputer = operation({
  operationId: 'deleteComputer',
  method: 'delete',
  path: '/v1/computers/{id}',
  ids: { id: 'computer' },
  scope: 'admin',
  needsRecentSignIn: () => true,
  tag: 'Computers',
  summary: 'Delete a computer',
  description:
    'Permanently deletes the computer and its printers. Its agent is disconnected and cannot connect without a new enrolment. Its jobs in `queued` and `sent` become `cancelled`; those in `received` and `printing` become `error` with the reason `computer-deleted`. All its jobs stay readable. The virtual test computer cannot be deleted.',
  answer: { status: 204, description: 'The computer is deleted.' },
  handle:
    ({ devices }) =>
    async ({ tenant, ids }) => {
      await devices.deleteComputer({ ...tenant, computerId: ids.id })
    },
})
