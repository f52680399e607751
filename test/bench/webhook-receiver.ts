/**
 * The receiver of `bench webhooks`, in a process of its own. Answers 204 and reports each request. `/slow` answers
 * after 10 s, `/limited` takes 5 requests in each second, and `/down` closes connections for 40 s from the first one.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** From the receiver to the bench. Times are milliseconds since 1970. */
export interface Receipts {
  port?: number
  arrivals: { path: string; eventId: string; at: number; isRefused: boolean }[]
}

const SLOW_MS = 10_000
const DOWN_MS = 40_000
const TAKEN_PER_SECOND = 5
const REPORT_EVERY_MS = 50

let arrivals: Receipts['arrivals'] = []
let downUntil: number | undefined
let taken = { second: 0, count: 0 }

function isLimited(at: number): boolean {
  const second = Math.floor(at / 1_000)
  if (taken.second !== second) taken = { second, count: 0 }
  return ++taken.count > TAKEN_PER_SECOND
}

function isDown(at: number): boolean {
  downUntil ??= at + DOWN_MS
  return at < downUntil
}

const server = createServer((request, response) => {
  const path = request.url ?? ''
  request.on('end', () => {
    const at = performance.timeOrigin + performance.now()
    const isRefused = (path === '/limited' && isLimited(at)) || (path === '/down' && isDown(at))
    arrivals.push({ path, eventId: String(request.headers['webhook-id']), at, isRefused })
    if (isRefused && path === '/limited') response.writeHead(429, { 'retry-after': '1' }).end()
    else if (isRefused) request.socket.destroy()
    else if (path === '/slow') setTimeout(() => response.writeHead(204).end(), SLOW_MS)
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
