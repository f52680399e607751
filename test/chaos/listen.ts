/** Hears all events of jobs as they are published, past every proxy. It may miss events while NATS is away. */
import { JOBS_STREAM } from '@platen/proto/subjects.ts'
import { openNats } from '../checker/collect.ts'
import type { HeardEvent } from '../checker/history.ts'

/** @param natsUrl `nats://token@host:4222` */
export async function startListener(natsUrl: string) {
  const connection = await openNats(natsUrl, 'chaos listener')
  const heardEvents: HeardEvent[] = []
  /** Whole messages, for the search for secrets. */
  const messages: string[] = []
  const subscription = connection.subscribe(JOBS_STREAM.subjects[0] ?? '', {
    callback(_error, message) {
      messages.push(`${message.headers ?? ''}${message.string()}`)
      // `platen.events.v1.JobChanged`; the checker reports other contents.
      const { eventId, jobId, organizationId, state, sequence } = message.json<HeardEvent>()
      const { subject } = message
      heardEvents.push({ eventId, subject, jobId, organizationId, state, sequence, atMs: Date.now() })
    },
  })
  await connection.flush()
  return {
    heardEvents,
    messages,
    async stop() {
      subscription.unsubscribe()
      await connection.close()
    },
  }
}
