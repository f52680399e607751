/** The roles of `platen-server`: a service, or `all` services in one process. */
import type { ServiceProcess } from '@platen/runtime/process.ts'

/**
 * Services are imported at their start, so that the telemetry starts first and a process loads only its own service.
 * With `all`, services stop in reverse order, so that a caller stops before the services that it calls.
 */
export const SERVICES: Record<string, (service: ServiceProcess) => Promise<unknown>> = {
  async accounts(service) {
    const { startAccounts } = await import('@platen/accounts/service.ts')
    return await startAccounts(service, (await import('@platen/accounts/config.ts')).readConfig())
  },
  async webhooks(service) {
    const { startWebhooks } = await import('@platen/webhooks/service.ts')
    return await startWebhooks(service, (await import('@platen/webhooks/config.ts')).readConfig())
  },
  async usage(service) {
    const { startUsage } = await import('@platen/usage/service.ts')
    return await startUsage(service, (await import('@platen/usage/config.ts')).readConfig())
  },
  async jobs(service) {
    const { startJobs } = await import('@platen/jobs/service.ts')
    return await startJobs(service, (await import('@platen/jobs/config.ts')).readConfig())
  },
  async devices(service) {
    const { startDevices } = await import('@platen/devices/service.ts')
    return await startDevices(service, (await import('@platen/devices/config.ts')).readConfig())
  },
  async gateway(service) {
    const { startGateway } = await import('@platen/gateway/service.ts')
    return await startGateway(service, (await import('@platen/gateway/config.ts')).readConfig())
  },
  async 'test-computers'(service) {
    const { startTestComputers } = await import('@platen/test-computers/service.ts')
    return await startTestComputers(service, (await import('@platen/test-computers/config.ts')).readConfig())
  },
}

export const ROLES = [...Object.keys(SERVICES), 'all']
