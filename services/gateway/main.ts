import { runProcess } from '@platen/runtime/process.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'

const telemetry = await startTelemetry('platen-gateway')
const [{ readConfig }, { startGateway }] = await Promise.all([import('./config.ts'), import('./service.ts')])

await runProcess('gateway', async (service) => {
  service.onStop('telemetry', telemetry.stop)
  await startGateway(service, readConfig())
})
