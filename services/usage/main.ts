import { runProcess } from '@platen/runtime/process.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'

const telemetry = await startTelemetry('platen-usage')
const [{ readConfig }, { startUsage }] = await Promise.all([import('./config.ts'), import('./service.ts')])

await runProcess('usage', async (service) => {
  service.onStop('telemetry', telemetry.stop)
  await startUsage(service, readConfig())
})
