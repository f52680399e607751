import { runProcess } from '@platen/runtime/process.ts'
import { startTelemetry } from '@platen/runtime/telemetry/start.ts'

const telemetry = await startTelemetry('platen-accounts')
const [{ readConfig }, { startAccounts }] = await Promise.all([import('./config.ts'), import('./service.ts')])

await runProcess('accounts', async (service) => {
  service.onStop('telemetry', telemetry.stop)
  await startAccounts(service, readConfig())
})
