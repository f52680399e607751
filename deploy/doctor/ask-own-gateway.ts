/**
 * The state of the gateway in whose container this command runs. A gateway has no RPC port, and should get none: it is the only service that
 * the internet can reach. So this process opens what a gateway opens, with the same settings, network and secrets.
 */
import { ConfigError } from '@platen/runtime/config.ts'
import { createDiagnostics, diagnose } from '@platen/runtime/diagnostics.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { DRAIN_MS, type ServiceProcess } from '@platen/runtime/process.ts'
import { createReadiness } from '@platen/runtime/readiness.ts'
import { networkRpc } from '@platen/runtime/rpc/network.ts'
import { readConfig } from '../../services/gateway/config.ts'
import { openDependencies } from '../../services/gateway/dependencies.ts'
import type { Asked } from './ask-replicas.ts'

/** Reads the settings of this process. */
export async function askOwnGateway(fingerprintKey: Uint8Array): Promise<Asked> {
  const stopping = new AbortController()
  const closers: (() => unknown)[] = []
  const service: ServiceProcess = {
    log: createLogger('doctor', 'silent'),
    stopping: stopping.signal,
    onStop: (_what, close) => closers.push(close),
    runTimer: () => undefined,
    rpc: networkRpc,
    drainMs: DRAIN_MS,
    readiness: createReadiness(stopping.signal),
    diagnostics: createDiagnostics('gateway'),
  }
  try {
    await openDependencies(service, readConfig())
    const sentAtMs = Date.now()
    const response = await diagnose(service, { fingerprintKey })
    response.instance = 'this container'
    return {
      services: ['gateway'],
      address: 'this container',
      answer: { response, sentAtMs, receivedAtMs: Date.now() },
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { services: ['gateway'], address: 'this container', answer: { why: 'bad settings', error: error.message } }
  } finally {
    stopping.abort()
    // The process ends after this command. A server that does not respond must not delay it.
    void Promise.allSettled(closers.map(async (close) => close()))
  }
}
