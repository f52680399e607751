import { runProcess } from '@platen/runtime/process.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'

const telemetry = await startTelemetry('platen-jobs')
const [{ readConfig }, { startJobs }] = await Promise.all([import('./config.ts'), import('./service.ts')])

await runProcess('jobs', async (service) => {
  service.onStop('telemetry', telemetry.stop)
  await startJobs(service, readConfig())
})
