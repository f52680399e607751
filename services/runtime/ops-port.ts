/**
 * The operations port: HTTP for probes, Prometheus and the calls of operators. Only these calls are authenticated. It
 * must not be reachable from outside of the cluster.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { DiagnosticsService } from '@platen/proto/gen/platen/diagnostics/v1/diagnostics_pb.ts'
import type { ListenAddress } from './config.ts'
import { diagnose } from './diagnostics.ts'
import type { Keyring } from './keyring.ts'
import type { ServiceProcess } from './process.ts'
import { release } from './release.ts'
import { OPERATOR_DEADLINE_MS } from './rpc/rpc.ts'
import type { Metrics } from './telemetry/meter-provider.ts'
import { withTimeout } from './timers.ts'

/** Shorter than the 5 s of the chart's probes. */
const CHECK_TIMEOUT_MS = 2_000

/**
 * Serves until the process has stopped, and returns its port. `/livez` answers 200 while the event loop runs, so that
 * the loss of a dependency restarts nothing. `/readyz` answers 200 when the process can serve, otherwise 503 with the
 * reason in the log. `/metrics` shows the metrics to Prometheus, `/version` the release. `/platen.…` are the methods of
 * `operatorCalls`.
 *
 * @param operatorDigests the SHA-256 of each secret that operators may use.
 */
export async function serveOperations(
  service: ServiceProcess,
  { host, port }: ListenAddress,
  { metrics, operatorDigests }: { metrics: Pick<Metrics, 'read'> | undefined; operatorDigests: Keyring | undefined },
): Promise<{ port: number }> {
  if (operatorDigests) service.diagnostics.addSecret('PLATEN_OPERATOR_SECRET_SHA256', operatorDigests)
  service.operatorCalls.add(service, (router) =>
    router.service(DiagnosticsService, { diagnose: (request) => diagnose(service, request) }),
  )
  const pages: Record<string, (response: ServerResponse) => Promise<void> | void> = {
    '/livez': (response) => answer(response, 200, { status: 'ok' }),
    '/readyz': async (response) => {
      const reason = await findReason(service)
      if (reason) service.log.warn({ err: reason }, 'not ready')
      answer(response, reason ? 503 : 200, { status: reason ? 'not ready' : 'ok' })
    },
    ...(metrics && { '/metrics': (response) => showMetrics(service, response, metrics) }),
    '/version': (response) => answer(response, 200, { version: release, node: process.version }),
  }
  const server = createServer({ requestTimeout: OPERATOR_DEADLINE_MS }, (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const page = pages[path]
    if (page) void page(response)
    else if (path.startsWith('/platen.')) service.operatorCalls.answer(request, response, operatorDigests)
    else answer(response, 404, { paths: Object.keys(pages) })
  })
  await promisify<number, string>(server.listen.bind(server))(port, host)
  service.onStop('operations port', () => {
    server.closeAllConnections()
    return promisify(server.close.bind(server))()
  })
  return { port: (server.address() as AddressInfo).port }
}

/** @returns undefined if the process is ready. */
async function findReason({ readiness }: ServiceProcess): Promise<Error | undefined> {
  const checked = readiness.check().then(
    () => 'ready' as const,
    (error: Error) => error,
  )
  const result = await withTimeout(CHECK_TIMEOUT_MS, checked)
  return result === 'ready' ? undefined : (result ?? new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`))
}

async function showMetrics(
  { log }: ServiceProcess,
  response: ServerResponse,
  metrics: Pick<Metrics, 'read'>,
): Promise<void> {
  try {
    const text = await metrics.read()
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
  } catch (error) {
    log.warn({ err: error }, 'metrics not read')
    answer(response, 503, { status: 'no metrics' })
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
