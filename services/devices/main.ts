import { runProcess } from '@platen/runtime/process.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'

const telemetry = await startTelemetry('platen-devices')
const [{ readConfig }, { startDevices }] = await Promise.all([import('./config.ts'), import('./service.ts')])

await runProcess('devices', async (service) => {
  service.onStop('telemetry', telemetry.stop)
  await startDevices(service, readConfig())
})
