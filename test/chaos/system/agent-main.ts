/**
 * The agent of one tenant: `node agent-main.ts NAME DATA_DIR SPOOLER_URL`. All of it is the shipped agent but the spooler, which is another
 * process, and the pauses, which are short. Each Welcome's time goes to `welcomes` in the data directory, a line each. Exits with 0
 * when it was told to stop, else with 3: the service does not want it any more.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@platen/runtime/log.ts'
import type { Timings } from '../../../agent/agent.ts'
import { readConfig } from '../../../agent/config.ts'
import { runAgent } from '../../../agent/run.ts'
import { createRemoteSpooler } from './remote-spooler.ts'

const TIMINGS: Timings = {
  repeatMs: 500,
  backoff: { baseMs: 100, maxMs: 1_000 },
  welcomeWithinMs: 3_000,
  printersEveryMs: 5_000,
}

const [name = '', dataDir = '', spoolerUrl = ''] = process.argv.slice(2)
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
process.once('disconnect', () => stop.abort())

const end = await runAgent({
  dataDir,
  config: await readConfig(join(dataDir, 'agent.json')),
  spooler: createRemoteSpooler(spoolerUrl, name),
  log: createLogger('agent'),
  signal: stop.signal,
  timings: TIMINGS,
  onWelcome() {
    appendFileSync(join(dataDir, 'welcomes'), `${Date.now()}\n`)
    process.send?.({ ready: true })
  },
})
process.exit(end === 'stopped' ? 0 : 3)
