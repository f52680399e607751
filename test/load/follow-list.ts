/** An integrator that follows a list of the API by its cursors, and continues after every error. */
import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 100

interface Page<Row> {
  data?: Row[]
  nextCursor?: string | null
}

/**
 * @param get undefined, or another status than 200, is an error. @param path with a query. @param onRow called in the
 *   order of the list.
 */
export function followList<Row>(
  get: (path: string) => Promise<{ status?: number; body?: Page<Row> } | undefined>,
  path: string,
  onRow: (row: Row) => void,
) {
  let isFinishing = false
  let isStopped = false

  async function follow(): Promise<void> {
    let after = ''
    while (!isStopped) {
      const isLast = isFinishing
      const answer = await get(path + after).catch(() => undefined)
      const { data = [], nextCursor } = (answer?.status === 200 && answer.body) || {}
      for (const row of data) onRow(row)
      if (nextCursor) after = `&after=${nextCursor}`
      if (isLast && data.length === 0) return
      await sleep(PAUSE_MS)
    }
  }

  const ended = follow()
  return {
    /** Follows the list to its end. */
    async finish() {
      isFinishing = true
      await ended
    },
    async stop() {
      isStopped = true
      await ended
    },
  }
}
