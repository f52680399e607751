import type { IppOperation } from '@platen/ipp/operations.ts'
import { UNFINISHED_STATES } from '@platen/resources/job-states.ts'
import { createCache } from '@platen/runtime/cache.ts'
import type { Gateway } from '../../gateway.ts'
import { PRINTER_ATTRIBUTES } from '../attributes/printer-attributes.ts'
import { selectAttributes } from '../attributes/select.ts'
import { requireFormat } from '../documents/require-format.ts'
import type { IppOperationRow, PrinterCall } from '../operation.ts'
import { toJobFilter } from '../read-jobs.ts'

const COUNT_TTL_MS = 2_000
const COUNTS_MAX = 10_000

/** A computer asks several times a second while it prints. @param operations all of the table. */
export const createGetPrinterAttributes = (operations: readonly IppOperation[]): IppOperationRow => ({
  name: 'Get-Printer-Attributes',
  withoutAccess: true,
  handle(gateway) {
    const countJobs = createJobCount(gateway)
    return async (call) => {
      const { target, offer, uris, caller, operationAttributes } = call
      requireFormat(operationAttributes, offer)
      const facts = {
        ...target,
        offer,
        uris,
        operations,
        now: gateway.clock.now(),
        queuedJobs: await countJobs(call),
        organization: caller?.organization.name ?? '',
      }
      const requested = operationAttributes.all('requested-attributes')
      return { printer: selectAttributes(PRINTER_ATTRIBUTES, requested, facts) }
    }
  },
})

/** Unfinished jobs of the print access on the printer, at most 100. */
function createJobCount({ jobs, clock }: Gateway): (call: PrinterCall) => Promise<number> {
  const counts = createCache<number>({ ttlMs: COUNT_TTL_MS, max: COUNTS_MAX, now: () => clock.monotonicMs() })
  return async ({ caller, target }) => {
    if (caller?.credential.kind !== 'print') return 0
    const { id } = caller.credential.access
    return await counts.get(`${id} ${target.id}`, async () => {
      const found = await jobs.listNumberedJobs({
        organizationId: caller.organization.id,
        mode: caller.mode,
        ...toJobFilter(target),
        states: [...UNFINISHED_STATES],
        createdBy: `print_access:${id}`,
        limit: 100,
      })
      return found.jobs.length
    })
  }
}
