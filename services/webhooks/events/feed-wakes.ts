/**
 * Wakes waiting calls of the event feed on all replicas, by core NATS. After a lost message, a waiting call finds new
 * events at its timeout or when the connection is restored.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { FEEDS_SUBJECT, type Feed } from '@platen/proto/subjects.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'

export interface FeedWakes {
  /**
   * @param feed only new events of its types wake; without types all of them.
   * @returns a function that ends the subscription.
   */
  subscribe(feed: Feed, wake: () => void): () => void
}

interface Waiter {
  types: string[]
  wake(): void
}

/** Call it after the commit. */
export function wakeFeeds(nats: NatsConnection, feeds: Feed[]): void {
  if (feeds.length > 0 && !nats.isClosed()) nats.publish(FEEDS_SUBJECT, JSON.stringify(feeds))
}

const toKey = ({ organizationId, mode }: Feed) => `${mode} ${organizationId}`

export function startFeedWakes(service: ServiceProcess, nats: NatsConnection): FeedWakes {
  const waiting = new Map<string, Set<Waiter>>()
  const subscription = nats.subscribe(FEEDS_SUBJECT, {
    callback: (_error, message) => {
      for (const feed of message.json<Feed[]>())
        for (const { types, wake } of waiting.get(toKey(feed)) ?? [])
          if (types.length === 0 || feed.types.some((type) => types.includes(type))) wake()
    },
  })
  const followConnection = async () => {
    for await (const { type } of nats.status())
      if (type === 'reconnect') for (const waiters of waiting.values()) for (const { wake } of waiters) wake()
  }
  const ended = followConnection()
  service.onStop('feed wakes', () => subscription.unsubscribe())
  ended.catch((error: unknown) => service.log.warn({ err: error }, 'NATS connection status not observed any more'))

  return {
    subscribe(feed, wake) {
      const key = toKey(feed)
      const waiters = waiting.get(key) ?? new Set()
      const waiter = { types: feed.types, wake }
      waiting.set(key, waiters.add(waiter))
      return () => {
        waiters.delete(waiter)
        if (waiters.size === 0) waiting.delete(key)
      }
    },
  }
}
