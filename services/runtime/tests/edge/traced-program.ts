/** Asks for the URL that it is given, under a service's telemetry, with a function that only an ES module's import leads to. */
import { once } from 'node:events'
import { startTelemetry } from '../../telemetry/start.ts'

const telemetry = await startTelemetry('traced-program')
const { get } = await import('node:http')
const [response] = await once(get(process.argv[2] ?? ''), 'response')
response.resume()
await once(response, 'end')
await telemetry.stop()
