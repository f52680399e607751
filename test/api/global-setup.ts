/**
 * One installation for all files of `test/api` and `test/history`, started with the shipped launcher at the first
 * request. Serves `GET /` (its addresses), `GET /spans` (all that was exported, as text) and `GET /traces` (the newest
 * traces).
 */
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Credentials } from '@platen/deploy/launcher/bootstrap.ts'
import type { TestProject } from 'vitest/node'
import { freePort } from '../harness/free-port.ts'
import { removeDataDir, startPlaten } from '../harness/platen.ts'
import { traceEnvironment } from '../harness/trace-environment.ts'
import { startTraceReceiver } from '../traces/receiver.ts'

declare module 'vitest' {
  interface ProvidedContext {
    installationUrl: string
  }
}

export interface SharedInstallation {
  dataDir: string
  /** Directory for the requests and webhooks that workers record for `test/history`. */
  recordsDir: string
  credentials: Credentials
  /** The port for operators. */
  operationsUrl: string
}

const SETTINGS = {
  PLATEN_VIRTUAL_PRINT_MS: '60',
  PLATEN_RESEND_AFTER_SECONDS: '5',
  PLATEN_PRINTER_STATE_SECONDS: '1',
  PLATEN_OFFLINE_GRACE_SECONDS: '1',
  PLATEN_WEBHOOK_RETRY_GAPS: '1,1',
  PLATEN_ALLOWED_NETWORKS: '127.9.0.0/16,127.0.0.1/32',
  PLATEN_PRINTNODE_API: 'on',
  PLATEN_IPP: 'on',
}

export default async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  // The projects `api` and `history` share it.
  if ('installationUrl' in vitest.getProvidedContext()) return undefined
  const traces = await startTraceReceiver()
  let starting: ReturnType<typeof start> | undefined
  async function start() {
    const operations = `127.0.0.1:${await freePort()}`
    const platen = await startPlaten({
      env: { ...SETTINGS, ...traceEnvironment(traces), PLATEN_OPS_LISTEN: operations },
    })
    const recordsDir = join(platen.dataDir, 'records')
    await mkdir(recordsDir)
    const { dataDir, credentials } = platen
    const shared: SharedInstallation = { dataDir, recordsDir, credentials, operationsUrl: `http://${operations}` }
    return { platen, shared }
  }
  const server = createServer(async ({ url }, response) => {
    try {
      if (url === '/spans') return void response.end(traces.dump())
      if (url === '/traces') return void response.end(JSON.stringify(traces.traces()))
      starting ??= start()
      response.end(JSON.stringify((await starting).shared))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  vitest.provide('installationUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    const started = await starting?.catch(() => undefined)
    await started?.platen.stop()
    await traces.close()
    if (started) await removeDataDir(started.platen.dataDir)
  }
}
