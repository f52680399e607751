/** The agent's side of `spooler-server.ts`. A call without an answer in time fails, which the agent takes as its contract says. */
import { openAsBlob } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Spooler, SpoolerState } from '../../../agent/spoolers/spooler.ts'
import { VIRTUAL_PRINTERS } from '../../../agent/spoolers/virtual/printers.ts'

const ANSWER_WITHIN_MS = 5_000
const WATCH_EVERY_MS = 50

/** @param agent the name under which the spooler records what it is told. */
export function createRemoteSpooler(url: string, agent: string): Spooler {
  /** @returns undefined for a 404. */
  async function call(path: string, init: RequestInit = {}): Promise<Response | undefined> {
    const response = await fetch(url + path, { ...init, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    if (response.status === 404) return undefined
    if (!response.ok) throw new Error(`The spooler answered ${response.status}.`)
    return response
  }

  async function get<T>(path: string): Promise<T | undefined> {
    const response = await call(path)
    return response && ((await response.json()) as T)
  }

  async function state(id: string): Promise<SpoolerState | undefined> {
    return id === '' ? undefined : (await get<{ state: SpoolerState }>(`/jobs/${id}`))?.state
  }

  return {
    printers: async () => VIRTUAL_PRINTERS,
    state,
    find: (token) => get(`/jobs?${new URLSearchParams({ token })}`),

    async submitHeld({ token, printerOsName, qty, file }) {
      const query = new URLSearchParams({ agent, token, printer: printerOsName, qty: String(qty) })
      const response = await call(`/jobs?${query}`, { method: 'POST', body: await openAsBlob(file) })
      if (!response) throw new Error('The spooler does not take jobs.')
      const { spoolerJobId } = (await response.json()) as { spoolerJobId: string }
      return { spoolerJobId, warnings: [] }
    },

    async release(id) {
      const response = await call(`/jobs/${id}/release`, { method: 'POST' })
      if (!response) throw new Error('The spooler does not know the job.')
    },

    async remove(id) {
      await call(`/jobs/${id}`, { method: 'DELETE' })
    },

    async *watch(id, signal) {
      for (let last = ''; ; await sleep(WATCH_EVERY_MS, undefined, { signal })) {
        const now = await state(id)
        if (!now) return
        if (now.is !== last) yield now
        if (now.is === 'completed' || now.is === 'aborted') return
        last = now.is
      }
    },
  }
}
