/**
 * The recording receiver: hears all events of jobs as they are published, past every proxy. It may miss what is published while
 * NATS is away; it is a witness of what was said, not of all that was said.
 */
import type { Msg } from '@nats-io/transport-node'
import { JOBS_STREAM } from '@platen/proto/subjects.ts'
import { connectObserver } from './collect-nats.ts'
import type { HeardEvent } from './history.ts'

export interface Listener {
  heardEvents: HeardEvent[]
  /** All messages as they came, for who looks for leaks. */
  messages: string[]
  stop(): Promise<void>
}

/** @param url `nats://token@host:4222` */
export async function startListener(url: string): Promise<Listener> {
  const connection = await connectObserver(url, 'chaos listener')
  const heardEvents: HeardEvent[] = []
  const messages: string[] = []
  const [subject = ''] = JOBS_STREAM.subjects
  const subscription = connection.subscribe(subject)
  const heard = (async () => {
    for await (const message of subscription) {
      messages.push(`${message.headers ?? ''}${message.string()}`)
      heardEvents.push(readEvent(message))
    }
  })()
  await connection.flush()
  return {
    heardEvents,
    messages,
    async stop() {
      subscription.unsubscribe()
      await heard
      await connection.close()
    },
  }
}

function readEvent(message: Msg): HeardEvent {
  // Platen's own event, `platen.events.v1.JobChanged`; the checker says it when it is not.
  const event = message.json<{
    eventId: string
    jobId: string
    organizationId: string
    state: string
    sequence: number
  }>()
  return {
    eventId: event.eventId,
    subject: message.subject,
    jobId: event.jobId,
    organizationId: event.organizationId,
    state: event.state,
    sequence: event.sequence,
    atMs: Date.now(),
  }
}
