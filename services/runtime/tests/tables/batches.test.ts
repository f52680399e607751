import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type ContextManager,
  context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { expect, onTestFinished, test } from 'vitest'
import { createBatches, createWriteBatches } from '../../batches.ts'
import { ApiError } from '../../errors.ts'
import { linkBatched } from '../../telemetry/trace-context.ts'

/** Items are texts; the key of an item is its first letter. `batches` records each call of `run`. */
function createTestBatches(run: (items: string[]) => Map<string, string> = answer) {
  const batches: string[][] = []
  const ask = createBatches<string, string>({
    everyMs: 1,
    maxItems: 3,
    getKey: (item) => item.slice(0, 1),
    run: async (items) => {
      batches.push(items)
      return run(items)
    },
  })
  return { batches, askAll: (...items: string[]) => Promise.allSettled(items.map(ask)) }
}

const answer = (items: string[]) => new Map(items.map((item) => [item.slice(0, 1), `${item}!`]))
const failed = (message: string) => ({ status: 'rejected', reason: { message } })

test('concurrent items share a batch up to its limit; the next item goes into the next batch', async () => {
  const { batches, askAll } = createTestBatches()
  await askAll('a', 'b', 'c')
  await askAll('a', 'b', 'c', 'd')
  expect(batches).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], ['d']])
})

test('the second of two items with one key goes into a later batch and has its own result', async () => {
  const { batches, askAll } = createTestBatches()
  expect(await askAll('a1', 'b', 'a2')).toMatchObject([{ value: 'a1!' }, { value: 'b!' }, { value: 'a2!' }])
  expect(batches).toEqual([['a1', 'b'], ['a2']])
})

test('the items of a failed batch are retried one by one, in order, and only items that fail alone fail', async () => {
  const { batches, askAll } = createTestBatches((items) => {
    if (items.includes('b')) throw new Error('bad')
    return answer(items)
  })
  expect(await askAll('a', 'b', 'c')).toMatchObject([{ value: 'a!' }, failed('bad'), { value: 'c!' }])
  expect(await askAll('b')).toMatchObject([failed('bad')])
  expect(batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c'], ['b']])
})

test('service_unavailable fails all items, and during single retries all items from the first one that gets it', async () => {
  let away = new ApiError('service_unavailable', 'away')
  const { batches, askAll } = createTestBatches((items) => {
    if (items.length > 1 && away.code !== 'service_unavailable') throw away
    if (items.includes('b')) throw new ApiError('service_unavailable', 'away')
    return answer(items)
  })
  expect(await askAll('a', 'b', 'c')).toMatchObject([failed('away'), failed('away'), failed('away')])
  expect(batches).toEqual([['a', 'b', 'c']])
  away = new ApiError('internal_error', 'broken')
  expect(await askAll('a', 'b', 'c')).toMatchObject([{ value: 'a!' }, failed('away'), failed('away')])
  expect(batches.slice(1)).toEqual([['a', 'b', 'c'], ['a'], ['b']])
  expect(await askAll('c')).toMatchObject([{ value: 'c!' }])
})

test('an item without a result fails alone', async () => {
  const { askAll } = createTestBatches(() => new Map([['a', 'a!']]))
  expect(await askAll('a', 'c')).toMatchObject([{ value: 'a!' }, { status: 'rejected' }])
})

test('items of a write batch are written together', async () => {
  const written: string[][] = []
  const write = createWriteBatches<string>({
    everyMs: 1,
    maxItems: 3,
    getKey: (item) => item,
    async write(items) {
      if (items.includes('bad')) throw new Error('bad')
      written.push(items)
    },
  })
  await Promise.all(['a', 'b'].map(write))
  expect(await Promise.allSettled(['bad', 'c'].map(write))).toMatchObject([failed('bad'), { status: 'fulfilled' }])
  expect(written).toEqual([['a', 'b'], ['c']])
})

function enableContexts(): void {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (chosen, work, self, ...args) => storage.run(chosen, () => work.apply(self, args)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  context.setGlobalContextManager(manager)
  onTestFinished(() => context.disable())
}

test('a batch runs in the context of its first item, also if an item of another context has started the batches', async () => {
  enableContexts()
  const key = createContextKey('name')
  const seen: unknown[] = []
  const { askAll } = createTestBatches((items) => {
    seen.push([context.active().getValue(key), ...items])
    return answer(items)
  })
  const askIn = (name: string, ...items: string[]) =>
    context.with(ROOT_CONTEXT.setValue(key, name), () => askAll(...items))
  await Promise.all([askIn('first', 'a', 'b', 'c'), askIn('second', 'd', 'e')])
  expect(seen).toEqual([
    ['first', 'a', 'b', 'c'],
    ['second', 'd', 'e'],
  ])
})

test('the spans of the other items of a batch get a link to its call; an item that is repeated alone has its own call', async () => {
  enableContexts()
  const callers: unknown[] = []
  const links: string[] = []
  const createSpan = (name: string): Span => {
    const span = trace.wrapSpanContext({ traceId: name, spanId: name, traceFlags: TraceFlags.SAMPLED })
    return Object.assign(span, {
      isRecording: () => true,
      addLink: ({ context: of }: { context: { spanId: string } }) => links.push(`${name} to ${of.spanId}`),
    })
  }
  const { askAll } = createTestBatches((items) => {
    const caller = trace.getActiveSpan()?.spanContext().spanId
    callers.push(caller)
    context.with(trace.setSpan(context.active(), createSpan(`call of ${caller}`)), linkBatched)
    if (items.length > 1 && items.includes('x')) throw new Error('bad')
    return answer(items)
  })
  const askIn = (item: string) => context.with(trace.setSpan(ROOT_CONTEXT, createSpan(item)), () => askAll(item))
  await Promise.all([...['a', 'b', 'c'].map(askIn), askAll('d')])
  await Promise.all(['w', 'x'].map(askIn))
  expect(links).toEqual(['b to call of a', 'c to call of a', 'x to call of w'])
  expect(callers).toEqual(['a', undefined, 'w', 'w', 'x'])
})
