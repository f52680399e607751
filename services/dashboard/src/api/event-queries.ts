/**
 * Applies events to the lists in the cache, also to those of pages that are left, because the user can come back. A
 * query of such a list has `meta.applyEvents`.
 */
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { FeedEvent } from './resources.ts'

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** @returns the changed data of the query; the same object without a change. */
      applyEvents?: (data: never, events: FeedEvent[]) => unknown
    }
  }
}

export class EventQueries {
  readonly #client: QueryClient
  readonly #key: QueryKey
  /**
   * The events of queries that are being fetched, by hash: the answer would replace what an event changes, and may be
   * older than the event.
   */
  readonly #held = new Map<string, FeedEvent[]>()
  readonly #unsubscribe: () => void

  /** @param key the start of the keys of the queries. */
  constructor(client: QueryClient, key: QueryKey) {
    this.#client = client
    this.#key = key
    this.#unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated') this.#flush(query)
      else if (type === 'removed') this.#held.delete(query.queryHash)
    })
  }

  apply(events: FeedEvent[]): void {
    for (const query of this.#client.getQueryCache().findAll({ queryKey: this.#key })) {
      if (!query.meta?.applyEvents) continue
      this.#held.set(query.queryHash, [...(this.#held.get(query.queryHash) ?? []), ...events])
      this.#flush(query)
    }
  }

  /** What follows no events any more must be loaded again. */
  close(): void {
    this.#unsubscribe()
    this.#client.removeQueries({ queryKey: this.#key })
  }

  #flush({ queryHash, queryKey, state, meta }: Query): void {
    const events = this.#held.get(queryHash)
    if (!events || state.fetchStatus !== 'idle') return
    this.#held.delete(queryHash)
    this.#client.setQueryData(queryKey, (data) => data && meta?.applyEvents?.(data as never, events))
  }
}
