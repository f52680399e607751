/** The event types of webhooks and the feed. Reference: docs/reference/events.md#types. */
import { z } from 'zod'
import { quoted } from './text.ts'

export const EVENT_TYPES = [
  'printjob.queued',
  'printjob.sent',
  'printjob.received',
  'printjob.printing',
  'printjob.done',
  'printjob.error',
  'printjob.cancelled',
  'printjob.expired',
  'computer.online',
  'computer.offline',
  'printer.added',
  'printer.removed',
  'printer.online',
  'printer.offline',
  'printer.updated',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

export const EVENT_TYPE = z
  .enum(EVENT_TYPES, {
    error: ({ input }) =>
      typeof input === 'string'
        ? `unknown event type ${quoted(input)}. See \`GET /v1/event-types\``
        : 'must be an event type of `GET /v1/event-types`',
  })
  .meta({ id: 'EventType', description: 'The type of an event.', example: 'printjob.done' })
