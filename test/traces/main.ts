/**
 * `npm run traces`: a trace viewer for developers. Start Platen with `OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318` and open the
 * address that this prints. Listens on loopback alone; the traces are in memory and gone when it ends.
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
    error.code === 'EADDRINUSE' ? `Port ${PORT} is in use: end the other receiver of traces first.` : error.message,
  )
  process.exit(1)
})
console.log(`Traces: http://127.0.0.1:${receiver.port}`)
console.log(`Start Platen with OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:${receiver.port}`)
