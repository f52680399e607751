/**
 * The receiver of `bench webhooks`, in a process of its own. Answers 204 at once, `/slow` after 2 s and `/dead` never. Reports the number of
 * requests, and while the bench listens, the `webhook-id` and the time of each.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** From the receiver to the bench. Times are milliseconds since 1970. */
export interface Receipts {
  port?: number
  count: number
  arrivals: { path: string; eventId: string; at: number }[]
}

const SLOW_MS = 2_000
const REPORT_EVERY_MS = 50

let isWatching = false
let receipts: Receipts = { count: 0, arrivals: [] }

const server = createServer((request, response) => {
  const path = request.url ?? ''
  request.on('end', () => {
    receipts.count++
    if (isWatching)
      receipts.arrivals.push({
        path,
        eventId: String(request.headers['webhook-id']),
        at: performance.timeOrigin + performance.now(),
      })
    if (path.startsWith('/dead')) return
    if (path.startsWith('/slow')) setTimeout(() => response.writeHead(204).end(), SLOW_MS)
    else response.writeHead(204).end()
  })
  request.resume()
})
server.listen(0, '127.0.0.1', () => process.send?.({ ...receipts, port: (server.address() as AddressInfo).port }))

setInterval(() => {
  if (receipts.count === 0) return
  process.send?.(receipts)
  receipts = { count: 0, arrivals: [] }
}, REPORT_EVERY_MS)

process.on('message', (watching) => {
  isWatching = watching === true
})
process.on('disconnect', () => process.exit())
