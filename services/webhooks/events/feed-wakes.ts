/**
 * Wakes those who wait for something new in a feed. By core NATS, whichever replica wrote it. A word may get lost; then a waiter finds what
 * there is when its time is over, or when the connection is back.
 */

import type { NatsConnection } from '@nats-io/transport-node'
import { FEEDS_SUBJECT, type Feed } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'

export interface FeedWakes {
  /**
   * @param feed with types: only new events of these types wake; without: of any type.
   * @returns the call that ends it.
   */
  listen(feed: Feed, wake: () => void): () => void
}

interface Waiter {
  types: string[]
  wake(): void
}

/** Call after the commit. */
export function wakeFeeds(nats: NatsConnection, feeds: Feed[]): void {
  if (feeds.length > 0 && !nats.isClosed()) nats.publish(FEEDS_SUBJECT, JSON.stringify(feeds))
}

const keyOf = ({ organizationId, mode }: Feed) => `${mode} ${organizationId}`

export function startFeedWakes(service: ServiceProcess, nats: NatsConnection): FeedWakes {
  const waiting = new Map<string, Set<Waiter>>()
  const subscription = nats.subscribe(FEEDS_SUBJECT, {
    callback: (_error, message) => {
      for (const feed of message.json<Feed[]>())
        for (const { types, wake } of waiting.get(keyOf(feed)) ?? [])
          if (types.length === 0 || feed.types.some((type) => types.includes(type))) wake()
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
    listen(feed, wake) {
      const key = keyOf(feed)
      const ofFeed = waiting.get(key) ?? new Set()
      const waiter = { types: feed.types, wake }
      waiting.set(key, ofFeed.add(waiter))
      return () => {
        ofFeed.delete(waiter)
        if (ofFeed.size === 0) waiting.delete(key)
      }
    },
  }
}
