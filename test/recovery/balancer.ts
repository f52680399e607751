/** What a load balancer does for clients: each request goes to one of the replicas that are in rotation. */
import { type Api, createApi, type Exchange } from '../harness/api.ts'
import { waitFor } from '../harness/wait-for.ts'

export type Balancer = ReturnType<typeof createBalancer>

/** @param record called with every request and its answer. */
export function createBalancer(baseUrls: string[], key: string, record: (exchange: Exchange) => void) {
  const replicas = baseUrls.map((baseUrl) => ({
    api: createApi(baseUrl, key, { record }),
    inRotation: true,
    requests: 0,
  }))
  let next = 0
  const use = async <T>(call: (api: Api) => Promise<T>): Promise<T> => {
    const active = replicas.filter(({ inRotation }) => inRotation)
    const replica = active[next++ % active.length]
    if (!replica) throw new Error('no replica is in rotation')
    replica.requests++
    return await call(replica.api).finally(() => replica.requests--)
  }
  return {
    get: (path: string) => use((api) => api.get(path)),
    post: (path: string, body: unknown, headers?: Record<string, string>) =>
      use((api) => api.post(path, body, headers)),
    /**
     * Sends no more requests to the replica, waits for the last answer, and returns it to the rotation after
     * `meanwhile`.
     */
    async without(nth: number, meanwhile: () => Promise<unknown>): Promise<void> {
      const replica = replicas[nth]
      if (!replica) throw new Error(`the balancer has no replica ${nth}`)
      replica.inRotation = false
      await waitFor(() => {
        if (replica.requests > 0) throw new Error(`${replica.requests} requests have no answer yet`)
      })
      await meanwhile()
      replica.inRotation = true
    },
  }
}
