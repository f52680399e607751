/** Prints documents behind each line, and compares the time with that of the same bytes by plain TCP. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { readCalls } from '@platen/agent/spoolers/virtual/call-log.ts'
import { type Api, createApi } from '../harness/api.ts'
import type { Checks } from '../harness/checks.ts'
import { freePort } from '../harness/free-port.ts'
import { removeDataDir, startPlaten } from '../harness/platen.ts'
import { waitFor } from '../harness/wait-for.ts'
import { HOST, HOST_ADDRESSES, type Line, openLine, spawnBehindLine } from './line.ts'

const AGENT = [process.execPath, '--no-warnings', join(import.meta.dirname, '../../agent/main.ts')]

/** The line has no proxy. */
const ENV = { ...process.env, NO_PROXY: '*', no_proxy: '*' }

/** A multiple of the time that the line needs. */
const SLOWER_MAX = 1.5
const LIMIT_MS = 10 * 60_000

const CASES: (Line & { documents: number; sizeBytes: number })[] = [
  { kbitPerSecond: 32, roundTripMs: 100, lossPercent: 0, documents: 3, sizeBytes: 150_000 },
  { kbitPerSecond: 32, roundTripMs: 600, lossPercent: 5, documents: 2, sizeBytes: 150_000 },
  { kbitPerSecond: 128, roundTripMs: 600, lossPercent: 5, documents: 1, sizeBytes: 1_000_000 },
]

/** Runs {@link CASES} on one installation. @param dir for the data of the agents. */
export async function runLines(dir: string, checks: Checks): Promise<void> {
  const agentPort = await freePort()
  const env = {
    PLATEN_HOST: '0.0.0.0',
    PLATEN_AGENT_PORT: String(agentPort),
    PLATEN_AGENT_PUBLIC_URL: `http://${HOST}:${agentPort}`,
  }
  const platen = await startPlaten({ env })
  try {
    const { baseUrl, adminKey } = platen.credentials
    const api = createApi(baseUrl, adminKey)
    const figures = []
    for (const [n, one] of CASES.entries())
      figures.push(await runCase(join(dir, String(n)), api, `http://${HOST}:${new URL(baseUrl).port}`, one, checks))
    console.table(figures)
  } finally {
    await platen.stop()
    await removeDataDir(platen.dataDir)
  }
}

/** @returns the figures of a row. */
async function runCase(
  dataDir: string,
  api: Api,
  server: string,
  { documents, sizeBytes, ...line }: (typeof CASES)[number],
  checks: Checks,
) {
  const name = `${line.kbitPerSecond} kbit/s, ${line.roundTripMs} ms, ${line.lossPercent} % loss`
  checks.progress(name)
  const close = await openLine(line)
  try {
    const enrolMs = await measure(() => enroll(api, server, dataDir))
    checks.check(`${name}: a computer is enrolled at a host whose IPv6 address it cannot reach`, undefined)
    const tcpMs = await measure(() => transfer(documents * sizeBytes))
    const { printMs, wrong, disconnects } = await printAll(dataDir, api, documents, sizeBytes)
    checks.check(`${name}: each document prints once`, wrong)
    checks.check(
      `${name}: the agent stays connected`,
      disconnects ? `it was disconnected ${disconnects} times` : undefined,
    )
    const isSlow = printMs > SLOWER_MAX * tcpMs
    const times = `${toSeconds(printMs)} s instead of ${toSeconds(tcpMs)} s`
    checks.check(`${name}: at most ${SLOWER_MAX} times as slow as plain TCP`, isSlow ? times : undefined)
    return {
      line: name,
      bytes: documents * sizeBytes,
      'enrol s': toSeconds(enrolMs),
      'rate alone s': toSeconds((documents * sizeBytes * 8) / line.kbitPerSecond),
      'plain TCP s': toSeconds(tcpMs),
      'printed s': toSeconds(printMs),
    }
  } finally {
    await close()
  }
}

/**
 * Runs the agent until it has printed.
 *
 * @returns what is wrong with the jobs, if anything, and how often the agent lost its connection.
 */
async function printAll(dataDir: string, api: Api, documents: number, sizeBytes: number) {
  const agent = spawnBehindLine([...AGENT, 'run', '--data-dir', dataDir], {
    env: ENV,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const logged = agent.stdout ? text(agent.stdout) : Promise.resolve('')
  try {
    const { id: printer, computerId } = await waitFor(() => findPrinter(api), LIMIT_MS)
    const ids: string[] = []
    const printMs = await measure(async () => {
      for (let n = 0; n < documents; n++) ids.push(await createJob(api, printer, sizeBytes))
      await waitFor(() => requireReleases(dataDir, documents), LIMIT_MS)
    })
    const jobs = await Promise.all(ids.map((id) => api.waitUntilFinal(id, LIMIT_MS)))
    agent.kill('SIGTERM')
    const disconnects = (await logged).match(/"msg":"disconnected"/g)?.length ?? 0
    const states = jobs.map(({ state }) => state).join()
    const released = readReleases(dataDir).toSorted()
    const isRight = jobs.every(({ state }) => state === 'done') && released.join() === ids.toSorted().join()
    await api.delete(`/v1/computers/${computerId}`)
    return { printMs, disconnects, wrong: isRight ? undefined : `${states}, ${released.length} released` }
  } finally {
    agent.kill('SIGKILL')
  }
}

const toSeconds = (ms: number) => Math.round(ms / 1000)

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}

async function enroll(api: Api, server: string, dataDir: string): Promise<void> {
  const { body } = await api.post('/v1/enrollments', {})
  const args = ['enroll', '--server', server, '--insecure', '--spooler', 'virtual', '--data-dir', dataDir]
  await run([...AGENT, ...args], { ...ENV, PLATEN_ENROLL_TOKEN: body.token })
}

/** Sends bytes to the other end of the line by TCP, and waits until they have arrived there. */
async function transfer(sizeBytes: number): Promise<void> {
  const server = createServer((socket) => socket.on('error', () => undefined).end(randomBytes(sizeBytes)))
  await once(server.listen(0, HOST_ADDRESSES[0]), 'listening')
  const { address, port } = server.address() as AddressInfo
  const receive = `import('node:net').then(({ connect }) => connect(${port}, '${address}').resume())`
  await run([process.execPath, '--eval', receive], ENV)
  server.close()
}

/** @throws Error with the exit code. */
async function run(command: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [code] = await once(spawnBehindLine(command, { env, stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  if (code !== 0) throw new Error(`${command.slice(2).join(' ')} ended with ${code}`)
}

async function findPrinter(api: Api): Promise<{ id: string; computerId: string }> {
  const { data } = (await api.get('/v1/printers?limit=100')).body
  const found = data.find(({ state }: { state: string }) => state === 'online')
  if (!found) throw new Error('no printer is online')
  return found
}

/** A job of random bytes. @returns its id. */
async function createJob(api: Api, printerId: string, sizeBytes: number): Promise<string> {
  const content = randomBytes(sizeBytes).toString('base64')
  return (await api.createJob({ printerId, title: 'Label', contentType: 'raw_base64', content })).id
}

function requireReleases(dataDir: string, count: number): void {
  const released = readReleases(dataDir).length
  if (released < count) throw new Error(`${released} of ${count} documents are printed`)
}

const readReleases = (dataDir: string) =>
  readCalls(join(dataDir, 'virtual', 'handovers.jsonl')).flatMap(({ call, token }) =>
    call === 'release' ? [token] : [],
  )
