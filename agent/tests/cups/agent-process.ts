/** An agent that is killed: `node agent-process.ts URL DATA_DIR CUPS_SOCKET CALLS_FILE`. Everything but its pauses and the record is as shipped. */
import { pino } from 'pino'
import { openIppClient } from '../../ipp/client.ts'
import { runAgent } from '../../run.ts'
import { createCupsSpooler } from '../../spoolers/cups/cups-spooler.ts'
import { CREDENTIAL } from '../scripted-service.ts'
import { recordCalls } from './recorded-calls.ts'

const [agentUrl = '', dataDir = '', socketPath = '', callsFile = ''] = process.argv.slice(2)
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
process.once('disconnect', () => stop.abort())

const client = openIppClient({ url: 'http://localhost/', socketPath })
await runAgent({
  dataDir,
  config: { agentUrl, credential: CREDENTIAL, spooler: 'virtual' },
  spooler: recordCalls(createCupsSpooler({ client, printers: async () => [] }), callsFile),
  log: pino({ level: process.env.PLATEN_LOG_LEVEL || 'silent' }),
  signal: stop.signal,
  timings: { repeatMs: 200, backoff: { baseMs: 20, maxMs: 200 }, welcomeWithinMs: 5_000, printersEveryMs: 5_000 },
})
process.exit(0)
