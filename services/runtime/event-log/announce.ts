import { eventLogSubject } from '@platen/proto/subjects.ts'
import type { Nats } from '../messaging/nats.ts'

/** @returns a function that wakes the followers of the log. Call it after the commit of new events. The message may be lost. */
export function createAnnouncement({ connection }: Pick<Nats, 'connection'>, log: string): () => void {
  const subject = eventLogSubject(log)
  return () => {
    if (!connection.isClosed()) connection.publish(subject)
  }
}
