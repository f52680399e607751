/** The public interface as an integrator calls it: plain `fetch`, and nothing that knows what is behind. */
import { expect } from 'vitest'
import { checkDocumented } from './documented-answers.ts'
import { waitFor } from './wait-for.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what an answer holds, so it may look at anything in it
  body: any
}

export type Api = ReturnType<typeof createApi>

/** @param documented false for a server of a test's own, which the OpenAPI document says nothing of. */
export function createApi(baseUrl: string, key: string, { documented = true } = {}) {
  async function request(
    method: string,
    path: string,
    init: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(baseUrl + path, {
      ...init,
      method,
      headers: { authorization: `Bearer ${key}`, ...init.headers },
    })
    const { status, headers: answered } = response
    const text = await response.text()
    const body = text === '' ? null : JSON.parse(text)
    if (documented) checkDocumented({ method, target: path, status, header: (name) => answered.get(name), body })
    return { status, headers: answered, body }
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    request('POST', path, {
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const get = (path: string, headers: Record<string, string> = {}) => request('GET', path, { headers })

  return {
    request,
    get,
    post,
    async printer(name: string): Promise<{ id: string; computerId: string }> {
      const { body } = await get('/v1/printers?limit=100')
      const found = body.data.find((printer: { name: string }) => printer.name === name)
      if (!found) throw new Error(`no printer is called ${name}`)
      return found
    },
    /** Posts a job that must be accepted. */
    async createJob(job: Record<string, unknown>) {
      const answer = await post('/v1/printjobs', job)
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body
    },
    async getJob(id: string) {
      const answer = await get(`/v1/printjobs/${id}`)
      expect(answer.status).toBe(200)
      return answer.body
    },
    async eventStates(id: string): Promise<string[]> {
      const { body } = await get(`/v1/printjobs/${id}/events`)
      return body.data.map(({ state }: { state: string }) => state)
    },
    /** @returns the job once it is in a final state. */
    async waitUntilFinal(id: string, limitMs = 20_000) {
      return await waitFor(async () => {
        const { status, body } = await get(`/v1/printjobs/${id}`)
        expect(status).toBe(200)
        expect(['done', 'error', 'cancelled', 'expired'], `job ${id}`).toContain(body.state)
        return body
      }, limitMs)
    },
  }
}
