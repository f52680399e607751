/**
 * `npm run traces`: a trace viewer for developers. Start Platen with
 * `OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318` and open the printed address. Listens on loopback only. Traces
 * are kept in memory.
 */
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { startTraceReceiver } from './receiver.ts'

/** The port that OTLP/HTTP has by default. */
const PORT = 4318
const page = readFileSync(new URL('page.html', import.meta.url))

const serve: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (url.pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  } else if (url.pathname === '/api/traces') {
    const jobId = url.searchParams.get('job')
    const traces = receiver.traces().filter((spans) => !jobId || JSON.stringify(spans).includes(jobId))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(traces))
  } else {
    response.writeHead(404).end()
  }
}

const receiver = await startTraceReceiver(PORT, serve).catch((error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE' ? `Port ${PORT} is in use: stop the other trace receiver first.` : error.message,
  )
  process.exit(1)
})
console.log(`Traces: http://127.0.0.1:${receiver.port}`)
console.log(`Start Platen with OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:${receiver.port}`)
