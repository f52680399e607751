import { CANCELLABLE_STATES } from '@platen/resources/job-states.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { getActor } from '../../caller.ts'
import { getCaller } from '../../context.ts'
import { LARGE } from '../../operation/operation.ts'
import { readJobs } from '../read-jobs.ts'
import type { Route } from '../route.ts'

const cancel =
  (toFilters: (parts: string[]) => { printers?: string | undefined; jobs?: string | undefined }): Route['handle'] =>
  (gateway) =>
  async ({ ctx, tenant, parts }) => {
    const { actor, by } = getActor(getCaller(ctx))
    const jobs = await readJobs(gateway, tenant, { ...toFilters(parts), states: [...CANCELLABLE_STATES] })
    const cancelled = await Promise.all(
      jobs.map(async ({ id, number }) => {
        try {
          await gateway.jobs.cancelJob({ ...tenant, jobId: id, actor, cancelledBy: by })
          return number
        } catch (error) {
          // Its agent has received it meanwhile.
          if (error instanceof ApiError && error.code === 'not_cancellable') return undefined
          throw error
        }
      }),
    )
    return cancelled.filter((number) => number !== undefined)
  }

/** @returns the ids of the cancelled jobs. */
export const cancelPrintJobs: Route = {
  method: 'DELETE',
  paths: ['printjobs', 'printjobs/{}'],
  scope: 'print',
  units: LARGE,
  handle: cancel(([jobs]) => ({ jobs })),
}

export const cancelPrinterPrintJobs: Route = {
  method: 'DELETE',
  paths: ['printers/{}/printjobs', 'printers/{}/printjobs/{}'],
  scope: 'print',
  units: LARGE,
  handle: cancel(([printers, jobs]) => ({ printers, jobs })),
}
