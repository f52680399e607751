import { z } from 'zod'
import { getActor } from '../../caller.ts'
import { getCaller } from '../../context.ts'
import { LARGE, operation } from '../../operation/operation.ts'
import { jsonBody } from '../../request/json-body-schema.ts'
import { required } from '../../required.ts'

const PURGE = jsonBody({
  includePrinting: z
    .boolean('must be true or false')
    .default(false)
    .meta({ description: 'True ends jobs in `printing` as well.', example: false }),
}).meta({ id: 'PrinterPurge', description: 'The jobs to end. An empty object uses the default.' })

const PURGED = z
  .object({
    cancelled: z
      .int()
      .meta({ description: 'The number of jobs that were in `queued` or `sent` and are `cancelled`.', example: 7 }),
    ended: z.int().meta({
      description: 'The number of jobs that were in `received` or `printing` and are in `error`.',
      example: 5,
    }),
  })
  .meta({ id: 'PurgedPrinter', description: 'The numbers of jobs that the purge ended.' })

export const purgePrinter = operation({
  operationId: 'purgePrinter',
  method: 'post',
  path: '/v1/printers/{id}/purge',
  ids: { id: 'printer' },
  scope: 'admin',
  needsRecentSignIn: () => true,
  tag: 'Printers',
  summary: 'End the jobs of a printer',
  description:
    'Ends the unfinished jobs of the printer with the reason `purged`. Jobs in `queued` and `sent` become `cancelled`. Jobs in `received` become `error`, and jobs in `printing` as well if `includePrinting` is true. The agent removes them from the print queue of its computer, at once or when it connects again. A page that is being printed may still come out.',
  body: PURGE,
  bodyIsOptional: true,
  units: 2 * LARGE,
  answer: { status: 200, description: 'The numbers of the ended jobs.', schema: PURGED },
  handle:
    ({ jobs, devices }) =>
    async ({ ctx, tenant, ids, body: { includePrinting } }) => {
      const { actor, by } = getActor(getCaller(ctx))
      const ofPrinter = { ...tenant, printerId: ids.id }
      const { computerId } = required((await devices.getPrinter(ofPrinter)).printer)
      const { cancelled, ended } = await jobs.purgePrinter({
        ...ofPrinter,
        computerId,
        includePrinting,
        actor,
        cancelledBy: by,
      })
      return { cancelled, ended }
    },
})
