import { useInfiniteQuery } from '@tanstack/react-query'
import type { Call } from './client.ts'
import type { Live } from './live.tsx'
import { PAGE_SIZE, type pagesQuery } from './queries.ts'

export interface Page<Item> {
  data: Item[]
  hasMore: boolean
  nextCursor: string | null
}

export type LoadPage<Item> = (query: { limit: number; after: string | undefined }) => Call<Page<Item>>

/**
 * Follows the cursor of a list to its end.
 *
 * @param onProgress gets the number of items that are loaded.
 * @param pagesMax after which it stops.
 * @returns the items, and whether there are more.
 * @throws ApiFailure, AbortError
 */
export async function loadAll<Item>(
  { send }: Pick<Live, 'send'>,
  load: LoadPage<Item>,
  signal: AbortSignal,
  onProgress: (loaded: number) => void = () => undefined,
  pagesMax = Number.POSITIVE_INFINITY,
): Promise<{ items: Item[]; hasMore: boolean }> {
  const items: Item[] = []
  let after: string | undefined
  for (let pages = 1; ; pages++) {
    const page = await send(load({ limit: PAGE_SIZE, after }), signal)
    items.push(...page.data)
    onProgress(items.length)
    after = page.hasMore ? (page.nextCursor ?? undefined) : undefined
    if (after === undefined || pages === pagesMax) return { items, hasMore: page.hasMore }
  }
}

/** @param options made by `pagesQuery`. @returns the query, with the items of all loaded pages. */
export function usePages<Item>(options: ReturnType<typeof pagesQuery<Item>>) {
  const query = useInfiniteQuery(options)
  return { ...query, data: query.data?.pages.flatMap(({ data }) => data) }
}
