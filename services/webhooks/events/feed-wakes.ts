/**
 * Wakes those who wait for something new in a feed. By core NATS, whichever replica wrote it. A word may get lost; then a waiter finds what
 * there is when its time is over, or when the connection is back.
 */

import type { NatsConnection } from '@nats-io/transport-node'
import { feedWakeSubject } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'

export interface FeedWakes {
  /**
   * @param feed with types: only what is new of them counts.
   * @returns the call that ends it.
   */
  listen(feed: Feed, wake: () => void): () => void
}

interface Feed {
  organizationId: string
  mode: string
  types: string[]
}

interface Waiter {
  types: string[]
  wake(): void
}

/** Said after the commit. */
export function wakeFeed(nats: NatsConnection, { organizationId, mode, types }: Feed): void {
  if (!nats.isClosed()) nats.publish(feedWakeSubject(organizationId, mode), types.join())
}

export function startFeedWakes(service: ServiceProcess, nats: NatsConnection): FeedWakes {
  const waiting = new Map<string, Set<Waiter>>()
  const subscription = nats.subscribe(feedWakeSubject('*', '*'), {
    callback: (_error, message) => {
      const ofFeed = waiting.get(message.subject)
      if (!ofFeed) return
      const added = message.string().split(',')
      for (const { types, wake } of ofFeed) if (types.length === 0 || added.some((type) => types.includes(type))) wake()
    },
  })
  const followConnection = async () => {
    for await (const { type } of nats.status())
      if (type === 'reconnect') for (const ofFeed of waiting.values()) for (const { wake } of ofFeed) wake()
  }
  const ended = followConnection()
  service.onStop('feed wakes', () => subscription.unsubscribe())
  ended.catch((error: unknown) => service.log.warn({ err: error }, 'the connection to NATS is not followed any more'))

  return {
    listen({ organizationId, mode, types }, wake) {
      const subject = feedWakeSubject(organizationId, mode)
      const ofFeed = waiting.get(subject) ?? new Set()
      const waiter = { types, wake }
      waiting.set(subject, ofFeed.add(waiter))
      return () => {
        ofFeed.delete(waiter)
        if (ofFeed.size === 0) waiting.delete(subject)
      }
    },
  }
}
