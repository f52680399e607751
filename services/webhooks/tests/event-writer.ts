import { exampleEvent } from '@platen/resources/event-examples.ts'
import type { EventType } from '@platen/resources/event-types.ts'
import { hotConnectionSettings } from '@platen/runtime/database/connection-settings.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { Pool } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { onTestFinished } from 'vitest'
import type { NewEvent } from '../events/record-events.ts'
import type { TestWebhooks } from './start-test-webhooks.ts'

/** What `recordEvents` works with, beside a running service: another replica, for it. */
export async function startEventWriter({ databaseUrl, nats, clock }: TestWebhooks) {
  const process = createTestProcess('event writer')
  onTestFinished(() => process.stop())
  const pool = new Pool({ connectionString: databaseUrl, max: 16, ...hotConnectionSettings('test events') })
  onTestFinished(() => pool.end())
  let due = 0
  return {
    pool,
    clock,
    nats: await connectNats(process, nats.url),
    deliveriesAdded: () => void due++,
    /** How often deliveries were said to be due. */
    timesDue: () => due,
  }
}

export function newEvent(
  { organizationId, mode }: { organizationId: string; mode: string },
  type: EventType = 'printjob.done',
): NewEvent {
  const event = { ...exampleEvent(type, mode as 'live' | 'test'), id: uuidv7(), mode }
  return { organizationId, mode, id: event.id, type, occurredAt: event.timestamp, body: JSON.stringify(event) }
}
