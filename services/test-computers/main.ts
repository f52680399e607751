import { runProcess } from '@platen/runtime/process.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'

const telemetry = await startTelemetry('platen-test-computers')
const [{ readConfig }, { startTestComputers }] = await Promise.all([import('./config.ts'), import('./service.ts')])

await runProcess('test-computers', async (service) => {
  service.onStop('telemetry', telemetry.stop)
  await startTestComputers(service, readConfig())
})
