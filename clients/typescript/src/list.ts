/** A list that the API returns in pages. Reference: docs/reference/pagination.md */

export interface Page<T> {
  data: T[]
  hasMore: boolean
  /** Send it as `after` to continue. Also set on the last page. */
  nextCursor: string | null
}

/** `for await` reads all resources, page by page. Each iteration begins again. */
export class List<T> implements AsyncIterable<T> {
  readonly #read: (after?: string) => Promise<Page<T>>

  constructor(read: (after?: string) => Promise<Page<T>>) {
    this.#read = read
  }

  /** Reads one page: that of the query of the list. */
  async page(): Promise<Page<T>> {
    return await this.#read()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let after: string | undefined
    for (;;) {
      const { data, hasMore, nextCursor } = await this.#read(after)
      yield* data
      // The last page has a cursor as well.
      if (!hasMore || nextCursor === null) return
      after = nextCursor
    }
  }
}
