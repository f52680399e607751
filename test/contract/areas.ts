/** The whole contract, by area. */
import { AUTHENTICATION } from './areas/authentication.ts'
import { COMPUTERS } from './areas/computers.ts'
import { CONVENTIONS } from './areas/conventions.ts'
import { CREATION } from './areas/creation.ts'
import { DELIVERIES } from './areas/deliveries.ts'
import { DEVICE_EVENTS } from './areas/device-events.ts'
import { ERRORS } from './areas/errors.ts'
import { EVENTS } from './areas/events.ts'
import { FETCHES } from './areas/fetches.ts'
import { IDEMPOTENCY } from './areas/idempotency.ts'
import { OPTIONS } from './areas/options.ts'
import { PRINT_JOBS } from './areas/print-jobs.ts'
import { PRINTERS } from './areas/printers.ts'
import { RATE_LIMIT } from './areas/rate-limit.ts'
import { STATES } from './areas/states.ts'
import { TEST_MODE } from './areas/test-mode.ts'
import { USAGE } from './areas/usage.ts'
import { WEBHOOKS } from './areas/webhooks.ts'
import type { Entry } from './entry.ts'

export const AREAS: Record<string, Entry[]> = {
  conventions: CONVENTIONS,
  errors: ERRORS,
  authentication: AUTHENTICATION,
  'rate limit': RATE_LIMIT,
  idempotency: IDEMPOTENCY,
  usage: USAGE,
  printers: PRINTERS,
  computers: COMPUTERS,
  'test mode': TEST_MODE,
  creation: CREATION,
  fetches: FETCHES,
  options: OPTIONS,
  'print jobs': PRINT_JOBS,
  states: STATES,
  webhooks: WEBHOOKS,
  deliveries: DELIVERIES,
  'events of computers and printers': DEVICE_EVENTS,
  events: EVENTS,
}
