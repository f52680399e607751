import { runProcess } from '@platen/runtime/process.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'

const telemetry = await startTelemetry('platen-webhooks')
const [{ readConfig }, { startWebhooks }] = await Promise.all([import('./config.ts'), import('./service.ts')])

await runProcess('webhooks', async (service) => {
  service.onStop('telemetry', telemetry.stop)
  await startWebhooks(service, readConfig())
})
