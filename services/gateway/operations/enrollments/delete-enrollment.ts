import { operation } from '../../operation/operation.ts'

export const deleteEnrollment = operation({
  operationId: 'deleteEnrollment',
  method: 'delete',
  path: '/v1/enrollments/{id}',
  ids: { id: 'enrolment token' },
  scope: 'admin',
  tag: 'Computers',
  summary: 'Revoke an enrolment token',
  description: 'No further computer can be enrolled with the token. Computers that were enrolled with it stay.',
  answer: { status: 204, description: 'The token is revoked.' },
  handle:
    ({ devices }) =>
    async ({ tenant, ids }) => {
      await devices.deleteEnrollment({ ...tenant, enrollmentId: ids.id })
    },
})
