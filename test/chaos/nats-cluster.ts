/**
 * `npm run test:long -- nats`: shows that no event is lost while each server of a NATS cluster is killed, or copies of
 * streams are added, and that all connections to PostgreSQL use TLS. Exits with 1 for a violation, with 2 for wrong
 * arguments.
 */
import { parseArgs } from 'node:util'
import { runNatsCluster } from './run-nats-cluster.ts'
import { readArguments, readInteger } from './verdict.ts'

const PAUSE_MAX_MS = 5_000

const options = readArguments('npm run test:long -- nats [--raise] [--jobs 1000]', () => {
  const { values } = parseArgs({ options: { jobs: { type: 'string' }, raise: { type: 'boolean' } } })
  return { jobs: readInteger('--jobs', values.jobs ?? '1000', 1, 100_000), raise: values.raise ?? false }
})

const result = await runNatsCluster({ ...options, onProgress: (line) => process.stderr.write(`${line} …\n`) })
console.table({ ...result, unexpectedEnds: result.unexpectedEnds.length })
const violations = [
  ...(result.longestPauseMs > PAUSE_MAX_MS ? [`The feed paused for more than ${PAUSE_MAX_MS} ms.`] : []),
  ...(result.clearConnections > 0 || result.tlsConnections === 0 ? ['Connections to PostgreSQL have no TLS.'] : []),
  ...result.unexpectedEnds,
]
for (const violation of violations) console.error(violation)
process.exit(violations.length > 0 ? 1 : 0)
