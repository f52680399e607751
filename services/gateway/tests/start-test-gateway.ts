import { systemClock } from '@platen/runtime/clock.ts'
import { createPublicNetwork } from '@platen/runtime/fetch/public-network.ts'
import { type Api, createApi } from '@platen/test/harness/api.ts'
import { createTestProcess } from '@platen/test/harness/test-process.ts'
import { onTestFinished } from 'vitest'
import type { Config } from '../config.ts'
import { type GatewayOptions, startGateway } from '../service.ts'
import { PRINTER_ID, startTestServices, type TestServices } from './start-test-services.ts'

interface TestGatewayOptions extends GatewayOptions {
  /** The gateway's clock, in milliseconds. */
  now?: () => number
  withServices?: boolean
  config?: Partial<Config>
}

/** The real gateway, in front of services that a test scripts. */
export async function startTestGateway({ withServices = true, ...options }: TestGatewayOptions = {}) {
  const services = await startTestServices()
  if (withServices) await services.startAll()
  return { services, ...(await addTestGateway(services, options)) }
}

/** As long as for any call between services: one event loop runs them all, and may stand still. */
export const PATIENCE_MS = 5_000

/** One more in front of the same services. */
export async function addTestGateway(services: TestServices, { config = {}, ...options }: TestGatewayOptions = {}) {
  const gateway = createTestProcess('gateway')
  const resolve = async (host: string) => services.hosts[host] ?? []
  const publicNetwork = createPublicNetwork({ allowed: [], resolve })
  const { now = systemClock.monotonicMs, ...inPlace } = { publicNetwork, patienceMs: PATIENCE_MS, ...options }
  const { port } = await startGateway(
    gateway,
    { ...services.config, ...config },
    { ...systemClock, monotonicMs: now },
    inPlace,
  )
  onTestFinished(() => gateway.stop())
  const baseUrl = `http://127.0.0.1:${port}`
  const key = services.makeKey()
  const api: Api = createApi(baseUrl, key)
  return { gateway, port, baseUrl, key, api }
}

export const PDF = '%PDF-1.7\n%%EOF\n'

/** The body of a creation that is accepted, but for `changes`. */
export function printJob(changes: Record<string, unknown> = {}) {
  const content = Buffer.from(PDF).toString('base64')
  return { printerId: PRINTER_ID, title: 'Invoice', contentType: 'pdf_base64', content, ...changes }
}
