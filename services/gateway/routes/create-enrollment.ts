/** `POST /v1/enrollments`. Source: decisions, "Computers and printers". */

import { timestampToJson } from '@platen/resources/timestamp-to-json.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { NEW_ENROLLMENT } from '../request/new-enrollment.ts'
import { readJson } from '../request/read-json.ts'

/** The token is in this answer and nowhere else. */
export function createEnrollment({ devices }: Gateway): RouteStep {
  return async (ctx) => {
    const wanted = await readJson(ctx, NEW_ENROLLMENT)
    const { organizationId, mode } = tenantOf(ctx)
    if (mode === 'test')
      throw new ApiError(
        'mode_mismatch',
        'Test mode has its virtual computer alone. Make enrolment tokens with a live key.',
      )
    const { id, token, expiresAt, maxUses } = await devices.createEnrollment({ organizationId, ...wanted })
    ctx.status = 201
    ctx.body = { id, token, expiresAt: timestampToJson(expiresAt), maxUses }
  }
}
