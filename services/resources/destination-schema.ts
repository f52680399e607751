/** Reference: docs/reference/destinations.md#the-destination-object. */
import { z } from 'zod'
import { EXAMPLE_IDS } from './example-of.ts'
import { id, number, timestamp } from './fields.ts'
import { createPageSchema } from './page-schema.ts'

/**
 * - `first`: the first available printer of the list; a later one only when each earlier one has been unavailable for a
 *   time.
 * - `any`: every available printer.
 */
export const DESTINATION_POLICIES = ['first', 'any'] as const
export type DestinationPolicy = (typeof DESTINATION_POLICIES)[number]

/** Codes of explanations. The first one that applies is shown. */
export const UNAVAILABLE_REASONS = [
  ...(['printer-removed', 'computer-paused', 'printer-disabled', 'computer-unauthorized', 'computer-offline'] as const),
  ...(['printer-offline', 'computer-disk-full', 'queue-paused', 'printer-waits'] as const),
] as const

const DESTINATION_PRINTER = z
  .object({
    printerId: id().meta({ description: 'The id of the printer.', example: EXAMPLE_IDS.printer }),
    name: z.string().meta({
      description: 'The name of the printer for people. Empty for a printer that was removed long ago.',
      example: 'Kitchen printer',
    }),
    computerId: id().nullable().meta({
      description: 'The id of its computer. Null for a printer that was removed long ago.',
      example: EXAMPLE_IDS.computer,
    }),
    reason: z.enum(UNAVAILABLE_REASONS).nullable().meta({
      description:
        'The cause why the printer takes no job, as a code of explanations. Null if it is available. New codes can be added.',
      example: null,
    }),
    detail: z.string().nullable().meta({
      description: 'The state of the printer for people, such as out of paper. Null if there is nothing to say.',
      example: null,
    }),
    since: timestamp().nullable().meta({
      description: 'The time since which the printer is not available. Null if it is available.',
      example: null,
    }),
    jobId: id().nullable().meta({
      description:
        'The job of a destination that the printer has taken and not finished. It takes no other one before.',
      example: null,
    }),
  })
  .meta({ id: 'DestinationPrinter', description: 'A printer of a destination, and what it does now.' })

export const DESTINATION = z
  .object({
    id: id().meta({ description: 'The id of the destination.', example: EXAMPLE_IDS.destination }),
    number: number(3),
    name: z.string().meta({ description: 'The name, unique in the organization and mode.', example: 'kitchen' }),
    printers: z.array(DESTINATION_PRINTER).meta({ description: 'The printers in their order.' }),
    policy: z.enum(DESTINATION_POLICIES).meta({
      description:
        'The choice of the printer that takes the next job. `first`: the first available one of the list, and a later one only when each earlier one has been unavailable for `standbyAfter` seconds. `any`: every available one, so that the jobs spread.',
      example: 'first',
    }),
    standbyAfter: z.int().meta({
      description:
        'The number of seconds for which each earlier printer must be unavailable before a later one takes a job, of the policy `first`.',
      example: 30,
    }),
    enabled: z.boolean().meta({
      description: 'True if the destination accepts jobs. Jobs that were accepted before it was disabled wait.',
      example: true,
    }),
    expireAfter: z.int().nullable().meta({
      description: 'The `expireAfter` of its jobs that do not have one. Null: that of all jobs.',
      example: 3600,
    }),
    waitingJobs: z.int().meta({ description: 'The number of jobs that wait for a printer.', example: 0 }),
    nextPrinterId: id().nullable().meta({
      description: 'The id of the printer that would get the next job. Null if none may take one now.',
      example: EXAMPLE_IDS.printer,
    }),
    createdAt: timestamp().meta({ description: 'The time of its creation.', example: '2026-03-02T09:00:00.000Z' }),
    updatedAt: timestamp().meta({ description: 'The time of its last change.', example: '2026-03-02T09:00:00.000Z' }),
  })
  .meta({
    id: 'Destination',
    description: 'A role, such as `kitchen`, whose jobs are printed by one of several printers.',
  })

export const DESTINATION_PAGE = createPageSchema(DESTINATION, 'DestinationPage', 'destinations')
