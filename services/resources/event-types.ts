/** The event types of webhooks and the feed. Reference: docs/reference/events.md#types. */

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
