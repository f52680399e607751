/** Prints through CUPS on Linux and macOS. Uses IPP only, so no programs or libraries of CUPS are needed. */
import { type IppClient, openIppClient } from '../../ipp/client.ts'
import { recognizeRaster } from '../raster/raster-printer.ts'
import type { Spooler, SpoolerState } from '../spooler.ts'
import { findCups } from './connect-cups.ts'
import { createCupsJobs } from './cups-jobs.ts'
import { createCupsPrinters } from './cups-printers.ts'
import { explainCupsFailure } from './explain-failure.ts'
import { cancelJobAtDevice, getJobAtDevice } from './job-at-device.ts'
import { toNameSuffix } from './job-name.ts'
import { type CupsJob, combineStates, toQueueName } from './job-state.ts'
import { toReportedQueue } from './queue.ts'
import { toRawAddress } from './raw-address.ts'
import { createReachability } from './reachability.ts'
import { submit } from './submit.ts'
import { createWatcher } from './watch.ts'

/** @param client a client of the CUPS of this computer or of `CUPS_SERVER`. */
export function createCupsSpooler(client: IppClient = openIppClient(findCups())): Spooler {
  let rawUris: Map<string, string> | undefined
  const printers = createCupsPrinters({
    client,
    onRawQueues(uris) {
      rawUris = uris
    },
  })
  const jobs = createCupsJobs(client)
  const watchJob = createWatcher({
    ...jobs,
    toState,
    getJobAtDevice: (job) => getJobAtDevice(client, job),
    cancelJobAtDevice: (job) => cancelJobAtDevice(client, job),
  })
  const resolve = createReachability()
  let lastPrinters: Awaited<ReturnType<Spooler['printers']>> | undefined

  async function listPrinters(): ReturnType<Spooler['printers']> {
    try {
      lastPrinters = await printers()
      return lastPrinters
    } catch (error) {
      throw explainCupsFailure(error)
    }
  }

  async function getReportedQueue(osName: string) {
    const isListed = lastPrinters?.some((printer) => printer.osName === osName)
    const list = isListed ? lastPrinters : await listPrinters()
    const { capabilities } = list?.find((printer) => printer.osName === osName) ?? {}
    return capabilities && toReportedQueue(capabilities)
  }

  /** A pending job has the state of its printer, because CUPS does not report that its queue is stopped. */
  function toState(job: CupsJob): SpoolerState {
    const state = resolve(job)
    const printer = lastPrinters?.find(({ osName }) => osName === toQueueName(job))
    if (state.is !== 'pending' || printer?.state !== 'offline') return state
    return { ...state, message: printer.stateDetail, reasons: printer.stateReasons ?? [] }
  }

  async function find(token: string): ReturnType<Spooler['find']> {
    const named = await jobs.findByNameSuffix(toNameSuffix(token))
    // The agent was killed before it sent the document.
    for (const { id, hasDocument, state } of named) if (!hasDocument && state === 'pending-held') await jobs.cancel(id)
    const submitted = named.filter(({ hasDocument }) => hasDocument)
    const count = submitted.at(-1)?.parts ?? 0
    const parts = submitted.slice(-count)
    if (parts.length < count && parts.every(({ state }) => state === 'pending-held')) {
      // The agent was killed before it submitted all parts.
      for (const { id } of parts) await jobs.purge(id)
      return undefined
    }
    return count === 0 ? undefined : { spoolerJobId: toSpoolerJobId(parts), state: combineStates(parts.map(toState)) }
  }

  /** @returns undefined if CUPS does not know one of the parts. */
  async function getParts(spoolerJobId: string): Promise<CupsJob[] | undefined> {
    const parts = await Promise.all(parseSpoolerJobId(spoolerJobId).map(({ id, uuid }) => jobs.get(id, uuid)))
    return parts.every((part) => part !== undefined) ? parts : undefined
  }

  return {
    printers: listPrinters,
    find,

    async recognizeRaster(osName) {
      if (!rawUris?.has(osName)) await listPrinters()
      const uri = rawUris?.get(osName)
      return uri === undefined ? undefined : recognizeRaster(uri)
    },

    rawAddresses() {
      const found = [...(rawUris ?? [])].map(([osName, uri]) => [osName, toRawAddress(uri)] as const)
      return new Map(found.flatMap(([osName, uri]) => (uri === undefined ? [] : [[osName, uri]])))
    },

    async submitHeld(submission) {
      const { parts, ...warnings } = await submit({ client, jobs, getReportedQueue }, submission)
      return { spoolerJobId: toSpoolerJobId(parts), ...warnings }
    },

    /** Parts that were released before stay so: only a held part was certainly not printed. */
    async release(spoolerJobId) {
      const parts = await getParts(spoolerJobId)
      if (!parts) throw new Error('CUPS does not know the job.')
      for (const { id, state } of parts) if (parts.length === 1 || state === 'pending-held') await jobs.release(id)
    },

    async remove(spoolerJobId) {
      for (const { id, uuid } of parseSpoolerJobId(spoolerJobId)) if (await jobs.get(id, uuid)) await jobs.cancel(id)
    },

    async state(spoolerJobId) {
      const parts = await getParts(spoolerJobId)
      return parts && combineStates(parts.map(toState))
    },

    /** CUPS prints the parts one after the other. If one fails, the later ones are cancelled. */
    async *watch(spoolerJobId, signal) {
      const parts = parseSpoolerJobId(spoolerJobId)
      for (const [index, { id, uuid }] of parts.entries()) {
        const later = parts.slice(index + 1)
        let state: SpoolerState | undefined
        for await (state of watchJob(id, uuid, signal)) {
          if (state.is === 'completed' && later.length > 0) break
          if (state.is === 'aborted') for (const part of later) await jobs.cancel(part.id)
          // The same rule is in `combineStates`.
          yield index > 0 && state.is === 'pending' ? { ...state, is: 'processing' } : state
        }
        if (state?.is !== 'completed') return
      }
    },
  }
}

/** Contains the UUIDs, because CUPS reuses the ids of jobs that it lost in a crash. */
const toSpoolerJobId = (parts: CupsJob[]) => parts.map(({ id, uuid }) => `${id} ${uuid}`).join(' ')

function parseSpoolerJobId(spoolerJobId: string): { id: number; uuid: string }[] {
  const words = spoolerJobId.split(' ')
  const parts = Array.from({ length: Math.max(1, Math.floor(words.length / 2)) }, (_, index) => index * 2)
  return parts.map((at) => ({ id: Number(words[at] ?? ''), uuid: words[at + 1] ?? '' }))
}
