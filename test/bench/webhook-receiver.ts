/** The receiver of `bench webhooks`, in a process of its own. Answers 204, at once or to `/slow` after 10 s, and reports each request. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** From the receiver to the bench. Times are milliseconds since 1970. */
export interface Receipts {
  port?: number
  arrivals: { path: string; eventId: string; at: number }[]
}

const SLOW_MS = 10_000
const REPORT_EVERY_MS = 50

let arrivals: Receipts['arrivals'] = []

const server = createServer((request, response) => {
  const path = request.url ?? ''
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now()
    arrivals.push({ path, eventId: String(request.headers['webhook-id']), at })
    if (path === '/slow') setTimeout(() => response.writeHead(204).end(), SLOW_MS)
    else response.writeHead(204).end()
  })
  request.resume()
})
server.listen(0, '127.0.0.1', () => process.send?.({ arrivals, port: (server.address() as AddressInfo).port }))

setInterval(() => {
  if (arrivals.length === 0) return
  process.send?.({ arrivals })
  arrivals = []
}, REPORT_EVERY_MS)

process.on('disconnect', () => process.exit())
