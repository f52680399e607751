import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { EventQueries } from '../../src/api/event-queries.ts'
import type { FeedEvent } from '../../src/api/resources.ts'

const KEY = ['organization', 'test']
const event = (id: string) => ({ data: { id } }) as FeedEvent

type Pages = { pages: string[][]; pageParams: number[] }

/** A list of two pages, which are answered one by one. */
function openList() {
  const client = new QueryClient()
  const queries = new EventQueries(client, KEY)
  const answers = [Promise.withResolvers<string[]>(), Promise.withResolvers<string[]>()]
  const list = new InfiniteQueryObserver(client, {
    queryKey: [...KEY, 'jobs'],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => answers[pageParam]?.promise ?? [],
    getNextPageParam: (_page, _pages, last) => last + 1,
    meta: {
      applyEvents: ({ pages: [first = [], ...others], pageParams }: Pages, events) => ({
        pages: [[...events.map(({ data }) => data.id), ...first], ...others],
        pageParams,
      }),
    },
  })
  return { list, queries, answers, getPages: () => client.getQueryData<Pages>([...KEY, 'jobs'])?.pages }
}

test('events reach lists that are being loaded, and lists that are left', async () => {
  const { list, queries, answers, getPages } = openList()
  const leave = list.subscribe(() => undefined)
  queries.apply([event('c')])
  answers[0]?.resolve(['b'])
  await expect.poll(getPages).toEqual([['c', 'b']])
  const next = list.fetchNextPage()
  queries.apply([event('d')])
  answers[1]?.resolve(['a'])
  await next
  expect(getPages()).toEqual([['d', 'c', 'b'], ['a']])
  leave()
  queries.apply([event('e')])
  expect(getPages()?.[0]).toEqual(['e', 'd', 'c', 'b'])
})
