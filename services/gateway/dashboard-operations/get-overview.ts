import { id, timestamp } from '@platen/resources/fields.ts'
import { FAILED_STATES } from '@platen/resources/job-states.ts'
import { z } from 'zod'
import { getRole } from '../context.ts'
import { LARGE, operation } from '../operation/operation.ts'
import { KINDS } from '../overview/entry.ts'
import { readOverview } from '../overview/read-overview.ts'
import { SOURCES } from '../overview/sources.ts'
import { STRIP_STATES } from '../overview/strip.ts'

const COUNT = z.object({ online: z.int(), total: z.int() })

const OVERVIEW = z
  .object({
    at: timestamp(),
    /** What could not be read. Its parts are null or missing. */
    missing: z.array(z.enum(SOURCES)),
    /** Unfinished jobs. */
    waiting: z.object({ jobs: z.int(), isMinimum: z.boolean() }).nullable(),
    printers: COUNT.nullable(),
    computers: COUNT.nullable(),
    figures: z
      .object({
        /** The present hour and the 47 before it, oldest first. */
        hours: z.array(
          z.object({
            start: timestamp(),
            printed: z.int(),
            failed: z.int(),
            /** Unfinished jobs at the end of the hour. */
            waiting: z.int().nullable(),
            /** The 95th percentile. Null if nothing was printed. */
            secondsToDone: z.number().nullable(),
          }),
        ),
        /** The same hours one week before. */
        weekBefore: z.array(z.object({ start: timestamp(), printed: z.int() })),
        /** The median of the last 24 hours. */
        secondsToDone: z.number().nullable(),
      })
      .nullable(),
    strip: z
      .object({
        start: timestamp(),
        /** The printers with trouble first. */
        printers: z.array(
          z.object({
            id: id(),
            name: z.string(),
            computerName: z.string(),
            /** Oldest first. Each ends where the next one starts. */
            segments: z.array(z.object({ state: z.enum(STRIP_STATES), start: timestamp() })),
          }),
        ),
        hasMore: z.boolean(),
      })
      .nullable(),
    checklist: z
      .object({
        samplePrinted: z.boolean(),
        computerAdded: z.boolean(),
        printedOnPaper: z.boolean(),
        keyCreated: z.boolean(),
      })
      .nullable(),
    attention: z.object({
      entries: z.array(
        z.object({
          kind: z.enum(KINDS),
          code: z.string(),
          text: z.string(),
          jobs: z.int().nullable(),
          state: z.enum(FAILED_STATES).nullable(),
          computerId: id().nullable(),
          printerId: id().nullable(),
          destinationId: id().nullable(),
          webhookId: id().nullable(),
        }),
      ),
      hasMore: z.boolean(),
    }),
    /** The printers of the newest 20 jobs, for the list beside the overview. */
    namedPrinters: z.array(
      z.object({
        id: id(),
        displayName: z.string(),
        enabled: z.boolean(),
        state: z.enum(['online', 'offline', 'unknown']),
        stateDetail: z.string(),
        stateReasons: z.array(z.string()),
      }),
    ),
  })
  .meta({ id: 'Overview' })

export const getOverview = operation({
  operationId: 'getOverview',
  method: 'get',
  path: '/account/overview',
  scope: null,
  credential: 'session',
  tenant: 'mode',
  tag: 'Account',
  summary: 'Read the overview',
  description: 'What needs attention, and how much was printed in the last hours.',
  units: 2 * LARGE,
  answer: { status: 200, description: 'The overview.', schema: OVERVIEW },
  handle:
    (gateway) =>
    async ({ ctx, tenant }): Promise<z.output<typeof OVERVIEW>> => {
      const found = await readOverview(gateway, tenant, getRole(ctx))
      const { summarized, strip, stripStart, now } = found
      return {
        at: now.toISOString(),
        missing: found.missing,
        waiting: found.waiting ?? null,
        printers: summarized ? { online: summarized.onlinePrinters, total: summarized.printers } : null,
        computers: summarized ? { online: summarized.onlineComputers, total: summarized.computers } : null,
        figures: found.figures,
        strip: strip && {
          start: stripStart.toISOString(),
          printers: strip,
          hasMore: (summarized?.printers ?? 0) > strip.length,
        },
        checklist: found.checklist,
        attention: found.attention,
        namedPrinters: found.recentPrinters.map(({ id, displayName, enabled, state, stateDetail, stateReasons }) => ({
          id,
          displayName,
          enabled,
          state: state as 'online',
          stateDetail,
          stateReasons,
        })),
      }
    },
})
