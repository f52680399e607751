import type { MigrationList } from '@platen/runtime/database/migrate.ts'
import { CreateDevices } from './0001-devices.ts'
import { AddRuns } from './0002-runs.ts'
import { AddEnrolmentAndDeletion } from './0003-enrolment-and-deletion.ts'
import { AddListOrder } from './0004-list-order.ts'
import { AddTestComputers } from './0020-test-computers.ts'
import { AddLostAgents } from './0030-lost-agents.ts'
import { AddEvents } from './0040-events.ts'
import { CreateEventLog } from './0050-event-log.ts'

/** In the order in which they are run. */
export const MIGRATIONS: MigrationList = [
  { name: '0001-devices', class: CreateDevices },
  { name: '0002-runs', class: AddRuns },
  { name: '0003-enrolment-and-deletion', class: AddEnrolmentAndDeletion },
  { name: '0004-list-order', class: AddListOrder },
  { name: '0020-test-computers', class: AddTestComputers },
  { name: '0030-lost-agents', class: AddLostAgents },
  { name: '0040-events', class: AddEvents },
  { name: '0050-event-log', class: CreateEventLog },
]
