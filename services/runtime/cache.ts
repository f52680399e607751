/**
 * Caches of look-ups that bursts of requests would repeat. The gateway caches API keys, plans and printers; devices
 * caches the printers of each computer.
 */
import type { NatsConnection } from '@nats-io/transport-node'
import { LRUCache } from 'lru-cache'

export interface CacheOptions {
  /** Lifetime of an entry, counted from the start of its look-up, so that no result is older. */
  ttlMs: number
  /** Number of entries. Beyond it the least recently used entry is deleted. */
  max: number
  /** Milliseconds of a monotonic clock, greater than 0. */
  now?: () => number
}

export interface ValueCacheOptions<Value> extends CacheOptions {
  /** Memory of all entries. Values are then measured by `getBytes`. */
  maxBytes?: number
  getBytes?: (value: Value) => number
}

export interface Cache<Value> {
  /**
   * Concurrent calls for one key share a look-up. An entry in the second half of its lifetime is used and looked up
   * again, so that calls for an entry in use do not wait.
   *
   * @throws the error of `lookUp`. Errors are not cached.
   */
  get(key: string, lookUp: () => Promise<Value>): Promise<Value>
  /** The result of a look-up in progress is not cached either. */
  delete(key: string): void
  clear(): void
}

/** A map of bounded size: beyond it the least recently used entry is deleted. */
export function createBoundedMap<Value extends object | number>(max: number) {
  return new LRUCache<string, Value>({ max })
}

/** A map of bounded memory. */
export function createSizedMap(maxBytes: number) {
  return new LRUCache<string, Uint8Array>({ maxSize: maxBytes, sizeCalculation: ({ length }) => Math.max(1, length) })
}

/** A map of bounded size and age. */
export function createExpiringMap<Value extends object | true>({ ttlMs, max, now }: CacheOptions, maxBytes?: number) {
  // The library uses an entry of exactly `ttl` milliseconds.
  return new LRUCache<string, Value>({
    max,
    ttl: ttlMs - 1,
    ttlResolution: 0,
    perf: now && { now },
    ...(maxBytes && { maxSize: maxBytes }),
  })
}

export function createCache<Value>(options: ValueCacheOptions<Value>): Cache<Value> {
  const { maxBytes, getBytes, now = () => performance.now() } = options
  const entries = createExpiringMap<Promise<Value>>(options, maxBytes)
  const refreshing = new Set<string>()

  /** The map measures an entry when it is added. */
  function replace(key: string, older: Promise<Value>, newer: Promise<Value>, value: Value, start: number): void {
    if (entries.peek(key) !== older) return
    entries.delete(key)
    entries.set(key, newer, { start, ...(maxBytes !== undefined && { size: Math.max(1, getBytes?.(value) ?? 1) }) })
  }

  async function load(key: string, lookUp: () => Promise<Value>): Promise<Value> {
    const result = lookUp()
    const start = now()
    entries.set(key, result, maxBytes === undefined ? {} : { size: 1 })
    try {
      const value = await result
      if (maxBytes !== undefined) replace(key, result, result, value, start)
      return value
    } catch (error) {
      if (entries.peek(key) === result) entries.delete(key)
      throw error
    }
  }

  /** After a failure the entry is used until it ends. */
  async function refresh(key: string, cached: Promise<Value>, lookUp: () => Promise<Value>): Promise<void> {
    refreshing.add(key)
    const start = now()
    try {
      const result = lookUp()
      replace(key, cached, result, await result, start)
    } catch {
      // The first call after the end of the entry gets the error.
    } finally {
      refreshing.delete(key)
    }
  }

  return {
    async get(key, lookUp) {
      const cached = entries.get(key)
      if (!cached) return await load(key, lookUp)
      if (entries.getRemainingTTL(key) < options.ttlMs / 2 && !refreshing.has(key)) void refresh(key, cached, lookUp)
      return await cached
    },
    delete: (key) => void entries.delete(key),
    clear: () => entries.clear(),
  }
}

export interface Announcements {
  /** Undefined if the process never connects. Then nothing is cached. */
  nats: NatsConnection | undefined | Promise<NatsConnection | undefined>
  subject: string
  /** @param announcement as JSON. @returns the keys of the stale entries. */
  toKeys(announcement: string): Iterable<string>
}

/**
 * A cache whose entries are deleted when core NATS announces a change. The process that makes the change announces it
 * after the commit.
 *
 * Entries are cached only while announcements arrive: after the server has confirmed the subscription, until the
 * connection is lost, which clears the cache. While NATS is disconnected every call looks up. If an announcement is
 * lost otherwise, for example because the changing process is disconnected, an entry stays stale for `ttlMs` at most.
 */
export function createAnnouncedCache<Value>(
  { nats, subject, toKeys }: Announcements,
  options: ValueCacheOptions<Value>,
): Cache<Value> {
  const cache = createCache<Value>(options)
  let isListening = false

  async function follow(): Promise<void> {
    const connection = await nats
    if (!connection) return
    // Fails if the connection is lost before the server answers. Repeated after the next reconnect.
    const listen = () =>
      connection.flush().then(
        () => {
          isListening = true
        },
        () => undefined,
      )
    const stop = () => {
      isListening = false
      cache.clear()
    }
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) for (const key of toKeys(message.string())) cache.delete(key)
      },
    })
    void listen()
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') stop()
      if (type === 'reconnect') void listen()
    }
    stop()
  }
  void follow()

  return { ...cache, get: (key, lookUp) => (isListening ? cache.get(key, lookUp) : lookUp()) }
}
