import { id, timestamp } from '@platen/resources/fields.ts'
import { z } from 'zod'
import { getRole } from '../context.ts'
import { LARGE, operation } from '../operation/operation.ts'
import { readDevices } from '../overview/read-devices.ts'

const DEVICES = z
  .object({
    computers: z.array(z.object({ id: id(), name: z.string(), printers: z.int() })),
    /** Null if their jobs could not be read. */
    printers: z
      .array(
        z.object({
          id: id(),
          /** Unfinished jobs, of the first 10,000 of all printers. */
          waiting: z.int(),
          /** Null if no printed job is kept. */
          lastPrintAt: timestamp().nullable(),
        }),
      )
      .nullable(),
    /** Enrolment tokens that are neither expired nor used up. Null for roles that cannot list them. */
    usableEnrollments: z.int().nullable(),
    /** The version that the installation offers, and for which operating systems. */
    agent: z.object({ version: z.string(), platforms: z.array(z.string()) }).nullable(),
  })
  .meta({ id: 'Devices' })

export const getDevices = operation({
  operationId: 'getDevices',
  method: 'get',
  path: '/account/devices',
  scope: null,
  credential: 'session',
  tenant: 'mode',
  tag: 'Account',
  summary: 'Read what lists of devices show',
  description: 'What the pages Printers and Computers show beside the resources of the public API.',
  units: LARGE,
  answer: { status: 200, description: 'Names, numbers and times.', schema: DEVICES },
  handle:
    (gateway) =>
    ({ ctx, tenant }): Promise<z.output<typeof DEVICES>> =>
      readDevices(gateway, tenant, getRole(ctx)),
})
