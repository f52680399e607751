import { eventLogSubject } from '@platen/proto/subjects.ts'
import type { Nats } from '../messaging/nats.ts'

/** @returns the call to make after the commit of a transaction that added events: wakes those who follow the log. May get lost. */
export function createAnnouncement({ connection }: Pick<Nats, 'connection'>, log: string): () => void {
  const subject = eventLogSubject(log)
  return () => {
    if (!connection.isClosed()) connection.publish(subject)
  }
}
