/** The JetStream streams. They are the fast way between services and may be lost as a whole: outboxes fill them again. */
import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import type { Nats } from './nats.ts'

const DAY_NS = 24 * 60 * 60 * 1e9

/** What a relay publishes again after a crash is dropped within this window (the server's own default). */
const DUPLICATE_WINDOW_NS = 2 * 60 * 1e9

export interface StreamConfig {
  name: string
  subjects: string[]
  /** Each message is of one consumer alone, and gone when that one has acknowledged it. */
  isWorkQueue?: boolean
}

/** Makes the stream when it is missing. Safe to call at any time and from any number of replicas. */
export async function ensureStream(nats: Nats, { name, subjects, isWorkQueue = false }: StreamConfig): Promise<void> {
  await nats.manager.streams.add({
    name,
    subjects,
    storage: StorageType.File,
    retention: isWorkQueue ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    max_age: DAY_NS,
    duplicate_window: DUPLICATE_WINDOW_NS,
  })
}
