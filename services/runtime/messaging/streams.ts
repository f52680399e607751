/** Streams of JetStream. They hold what is to be done now and may be lost as a whole: a table is the truth, from which they are filled again. */
import { DiscardPolicy, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import type { Nats } from './nats.ts'

const DAY_NS = 24 * 60 * 60 * 1e9

/** A message that is published again after a crash is dropped within this window (the server's own default). */
const DUPLICATE_WINDOW_NS = 2 * 60 * 1e9

export interface StreamConfig {
  name: string
  subjects: string[]
}

/**
 * Makes the stream when it is missing: a work queue, whose messages are of one consumer alone, and gone when it has acknowledged them. Safe to
 * call at any time and from any number of replicas.
 */
export async function ensureStream(nats: Nats, { name, subjects }: StreamConfig): Promise<void> {
  await nats.manager.streams.add({
    name,
    subjects,
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.Old,
    max_age: DAY_NS,
    duplicate_window: DUPLICATE_WINDOW_NS,
  })
}
