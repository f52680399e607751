/**
 * `npm run bench -- uploads`: 32 uploads of 25 MB at once. How much memory the gateway takes for them, how many it
 * takes in a second, and how long small requests wait meanwhile, beside the same requests when nothing else goes on.
 * With `--ipp` they are documents of computers, which are sent slowly, because a computer sends a document while it
 * makes it.
 */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { PRINT_ACCESS_LIMITS, UPLOADS_AT_ONCE } from '@platen/resources/limits.ts'
import { Pool } from 'undici'
import { openIppPrinters } from '../harness/ipp-printers.ts'
import { WITH_PDF } from '../harness/light-agent.ts'
import { peakRssBytes } from '../harness/peak-rss.ts'
import { type System, startSystem } from '../harness/system.ts'
import { addPrintingOrganization } from '../load/printing-computers.ts'
import { cpuMicroseconds, memoryFigures } from './cpu.ts'
import { type Figures, percentiles, printTable, runSteadily } from './report.ts'
import type { UploadFormat, Uploads } from './upload.ts'

const MB = 1024 * 1024
const UPLOADS = 32
const ROUNDS = 3
const SIZE_BYTES = 25 * MB
const SMALL_PER_SECOND = 50
const IDLE_SECONDS = 5
const IPP_SECONDS = 20
const SAMPLE_EVERY_MS = 200

export async function benchUploads(as: UploadFormat): Promise<void> {
  console.log('starting …')
  const system = await startSystem({ env: { PLATEN_IPP: 'on' } })
  const gateway = new Pool(system.baseUrl, { connections: 64 })
  const options = { mode: 'test', capabilities: WITH_PDF } as const
  const { organizationId, key, agent, printerId } = await addPrintingOrganization(system, options)
  try {
    await createSmallSteadily(gateway, key, AbortSignal.timeout(1_000))
    const alone = await createSmallSteadily(gateway, key, AbortSignal.timeout(IDLE_SECONDS * 1_000))

    console.log(`${ROUNDS} times ${UPLOADS} uploads of 25 MB at once …`)
    const { baseUrl } = system
    const keys = await Promise.all(
      Array.from({ length: UPLOADS / UPLOADS_AT_ONCE.perKey + 1 }, () =>
        system.addKey(organizationId, 'test', ['print']),
      ),
    )
    const sizes = { sizeBytes: SIZE_BYTES, atOnce: UPLOADS, rounds: ROUNDS }
    const paths = as === 'ipp' ? await addAccesses(system, organizationId, printerId) : []
    const workerData: Uploads = { baseUrl, keys, printerId, as, paths, ippSeconds: IPP_SECONDS, ...sizes }
    const readMemory = () => memoryFigures({ gateway: system.pids.gateway ?? 0 })
    const memoryBefore = await readMemory()
    const readCpuMs = async () => ((await cpuMicroseconds(system.pids)).gateway ?? Number.NaN) / 1000
    const cpuBefore = await readCpuMs()
    const worker = new Worker(new URL('upload.ts', import.meta.url), { workerData })
    const uploading = new AbortController()
    const roundsMs: number[] = []
    worker.on('message', (ms: number) => roundsMs.push(ms))
    const ended = once(worker, 'exit').finally(() => uploading.abort())
    const sampled = sampleMost(readMemory, uploading.signal)
    const beside = await createSmallSteadily(gateway, key, uploading.signal)
    await ended
    const memoryMost = await sampled
    const seconds = roundsMs.reduce((sum, ms) => sum + ms, 0) / 1000
    printTable({
      ...named('before', memoryBefore),
      ...named('at most', memoryMost),
      ...named('after', await readMemory()),
      'gateway peak RSS MB': Math.round((await peakRssBytes(system.pids.gateway ?? 0)) / MB),
      'gateway CPU ms an upload': Math.round(((await readCpuMs()) - cpuBefore) / (UPLOADS * roundsMs.length)),
      'uploads/s': Number(((UPLOADS * roundsMs.length) / seconds).toFixed(1)),
      'small requests beside': beside.length,
      ...percentiles('small', beside, [50, 99, 100]),
      ...percentiles('small, nothing beside,', alone, [50, 100]),
    })
  } finally {
    agent.close()
    await gateway.close()
    await system.stop()
  }
}

const named = (when: string, figures: Figures) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${name} ${when}`, value]))

/** @returns the largest of each figure until the signal. */
async function sampleMost(read: () => Promise<Figures>, signal: AbortSignal): Promise<Figures> {
  const most: Figures = {}
  while (!signal.aborted) {
    for (const [name, value] of Object.entries(await read())) most[name] = Math.max(most[name] ?? 0, value)
    await sleep(SAMPLE_EVERY_MS)
  }
  return most
}

/** @returns the path of the printer with the secret of each of enough print accesses. */
async function addAccesses(system: System, organizationId: string, printerId: string): Promise<string[]> {
  const { share, addAccess } = await openIppPrinters(system, organizationId, 'test')
  const number = await share(printerId)
  const count = Math.ceil(UPLOADS / PRINT_ACCESS_LIMITS.documentsAtOnce)
  const accesses = await Promise.all(Array.from({ length: count }, addAccess))
  return accesses.map(({ secret }) => `/ipp/print/${number}/${secret}`)
}

/** @returns milliseconds of each request from the time at which it is due. */
const createSmallSteadily = (gateway: Pool, key: string, signal: AbortSignal) =>
  runSteadily(SMALL_PER_SECOND, signal, async (dueAt) => {
    const headers = { authorization: `Bearer ${key}` }
    const { statusCode, body } = await gateway.request({ path: '/v1/whoami', method: 'GET', headers })
    await body.dump()
    if (statusCode !== 200) throw new Error(`a small request was answered with ${statusCode}`)
    return performance.now() - dueAt
  })
