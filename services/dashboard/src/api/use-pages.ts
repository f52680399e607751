import { useInfiniteQuery } from '@tanstack/react-query'
import { type Call, send } from './client.ts'
import { type Live, useLive } from './live.tsx'

const PAGE_SIZE = 100
/** Of what has no events: keys, deliveries, tokens, members. */
export const REFRESH_MS = 5_000

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
 * @throws ApiFailure, AbortError
 */
export async function loadAll<Item>(
  { send }: Pick<Live, 'send'>,
  load: LoadPage<Item>,
  signal: AbortSignal,
  onProgress: (loaded: number) => void,
): Promise<Item[]> {
  const items: Item[] = []
  let after: string | undefined
  do {
    const page = await send(load({ limit: PAGE_SIZE, after }), signal)
    items.push(...page.data)
    onProgress(items.length)
    after = page.hasMore ? (page.nextCursor ?? undefined) : undefined
  } while (after !== undefined)
  return items
}

interface PagesOptions<Item> {
  /** Of the query, with everything that `load` depends on. */
  name: readonly unknown[]
  load: LoadPage<Item>
  /** False for what the role may not read. */
  isEnabled?: boolean
  /** False for lists that the feed keeps current. */
  isRefreshed?: boolean
}

/** A list without events, newest first. It is loaded again every 5 s while only its first page is shown. */
export function usePages<Item>({ name, load, isEnabled = true, isRefreshed = true }: PagesOptions<Item>) {
  const { key, scope } = useLive()
  const query = useInfiniteQuery({
    queryKey: [...key, ...name],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => send(scope, load({ limit: PAGE_SIZE, after: pageParam }), signal),
    getNextPageParam: ({ hasMore, nextCursor }) => (hasMore ? (nextCursor ?? undefined) : undefined),
    enabled: isEnabled,
    refetchInterval: ({ state }) => isRefreshed && (state.data?.pages.length ?? 0) <= 1 && REFRESH_MS,
    refetchOnWindowFocus: isRefreshed,
  })
  return { ...query, data: query.data?.pages.flatMap(({ data }) => data) }
}
