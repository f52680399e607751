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
 * @param onPage gets the number of items that are loaded, and those of the page.
 * @param pagesMax after which it stops.
 * @returns the items, and whether there are more.
 * @throws ApiFailure, AbortError
 */
export async function loadAll<Item>(
  { send }: Pick<Live, 'send'>,
  load: LoadPage<Item>,
  signal: AbortSignal,
  onPage: (loaded: number, page: Item[]) => void = () => undefined,
  pagesMax = Number.POSITIVE_INFINITY,
): Promise<{ items: Item[]; hasMore: boolean }> {
  const items: Item[] = []
  let after: string | undefined
  for (let pages = 1; ; pages++) {
    const page = await send(load({ limit: PAGE_SIZE, after }), signal)
    items.push(...page.data)
    onPage(items.length, page.data)
    after = page.hasMore ? (page.nextCursor ?? undefined) : undefined
    if (after === undefined || pages === pagesMax) return { items, hasMore: page.hasMore }
  }
}

/** @param options made by `pagesQuery`. @returns the query, with the items of all loaded pages. */
export function usePages<Item>(options: ReturnType<typeof pagesQuery<Item>>) {
  const query = useInfiniteQuery(options)
  return { ...query, data: query.data?.pages.flatMap(({ data }) => data) }
}
