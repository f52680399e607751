/** The agent as it is shipped, behind a proxy that cuts its connections. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TIMINGS } from '@platen/agent/agent.ts'
import { runAgent } from '@platen/agent/run.ts'
import { readCalls } from '@platen/agent/spoolers/virtual/call-log.ts'
import { createVirtualSpooler } from '@platen/agent/spoolers/virtual/virtual-spooler.ts'
import { createLogger } from '@platen/runtime/log.ts'
import { freePort } from '@platen/test/harness/free-port.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { startTcpProxy } from '@platen/test/harness/tcp-proxy.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished, test } from 'vitest'
import { startTestDevices } from '../start-test-devices.ts'

const CUT_AFTER_BYTES = 300_000

async function startBehindProxy() {
  const started = await startTestDevices()
  const { credential } = await started.enroll()
  const [host = '', to] = started.world.agentAddress.split(':')
  const port = await freePort()
  const proxy = await startTcpProxy({ host: '127.0.0.1', port }, { host, port: Number(to) })
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  const virtualDir = join(dataDir, 'virtual')
  const abort = new AbortController()
  const end = runAgent({
    dataDir,
    config: { agentUrl: `http://127.0.0.1:${port}`, credential, spooler: 'virtual' },
    spooler: createVirtualSpooler({ dir: virtualDir, printMs: 20 }),
    log: createLogger('agent', 'info', { write: () => undefined }),
    signal: abort.signal,
    timings: { ...TIMINGS, resendMs: 50, backoff: { baseMs: 10, maxMs: 40 } },
  })
  onTestFinished(async () => {
    abort.abort()
    await end
    proxy.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  const printer = await waitFor(async () => {
    const [found] = await started.printers()
    if (!found) throw new Error('the agent has not reported its printers yet')
    return found
  })
  return { ...started, proxy, printer, readReleases: () => readCalls(join(virtualDir, 'handovers.jsonl')) }
}

test('a document of 2 MB arrives complete although each connection is cut after 300 KB', async () => {
  proves('agent.download.continued')
  const { world, proxy, printer, createJob, becomes, readReleases } = await startBehindProxy()
  const content = randomBytes(2_000_000)
  const storageKey = uuidv7()
  await world.files.write(
    storageKey,
    (async function* () {
      yield content
    })(),
  )
  const sha256 = createHash('sha256').update(content).digest('hex')
  proxy.cutAfter(CUT_AFTER_BYTES)
  const value = { storageKey, sizeBytes: BigInt(content.length), sha256 }
  const jobId = await createJob(printer, { document: { case: 'stored', value } })
  await becomes(jobId, { state: 'done' })
  expect(readReleases().filter(({ call }) => call === 'release')).toMatchObject([{ token: jobId, sha256 }])
})
