/**
 * Printers that are named in the agent's configuration, and the spooler that such printers lack: it keeps their jobs on disk until they are
 * released, and sends them.
 */
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Backoff } from '../../backoff.ts'
import { type Spooler, SpoolerRefusal, type SpoolerState } from '../spooler.ts'
import type { NetworkPrinter } from './config.ts'
import type { Device } from './device.ts'
import { createIppDevice } from './ipp-device.ts'
import { type JobStore, type NetworkJob, openJobStore } from './job-store.ts'
import { createQueue, type Queue } from './queue.ts'
import { createRawDevice } from './raw-device.ts'

const PURGE_EVERY_MS = 60 * 60 * 1000

/** Between attempts to reach a printer. */
const BACKOFF: Backoff = { baseMs: 2_000, maxMs: 30_000 }

export interface NetworkSpoolerOptions {
  /** Holds the jobs; used by one agent at a time, from the first call on that is about a job. */
  dir: string
  printers: NetworkPrinter[]
  log: Logger
  /** Instead of what the printers' URIs name. */
  openDevice?: (printer: NetworkPrinter) => Device
  backoff?: Backoff
}

export function createNetworkSpooler({
  dir,
  printers,
  log,
  openDevice: open = (printer) => openDevice(printer, join(dir, 'printers')),
  backoff = BACKOFF,
}: NetworkSpoolerOptions): Spooler {
  const devices = new Map(printers.map((printer) => [printer.name, open(printer)]))
  const changes = new EventEmitter().setMaxListeners(0)
  const queues = new Map<string, Queue>()
  let store: JobStore | undefined
  let isClosed = false
  let purgedAtMs = 0

  /** Whoever only asks for the printers leaves the jobs to the agent that runs. The first call goes on with what an earlier process left. */
  function jobs(): JobStore {
    if (isClosed) throw new Error('The spooler is closed.')
    if (store) return store
    store = openJobStore(dir)
    for (const printer of store.waiting()) getQueue(printer).wake()
    return store
  }

  function getQueue(printer: string): Queue {
    const queue =
      queues.get(printer) ?? createQueue(printer, devices.get(printer), jobs(), backoff, log, (id) => changes.emit(id))
    queues.set(printer, queue)
    return queue
  }

  function purgeSometimes(): void {
    if (performance.now() - purgedAtMs < PURGE_EVERY_MS && purgedAtMs > 0) return
    purgedAtMs = performance.now()
    jobs().purge()
  }

  function getState(job: NetworkJob): SpoolerState {
    const { phase, message, reasons } = job
    if (phase === 'held') return { is: 'held', reasons: ['job-hold-until-specified'] }
    if (phase === 'completed' || phase === 'aborted') return { is: phase, ...(message && { message }), reasons }
    return getQueue(job.printer).getState(job.id) ?? { is: 'pending', reasons: [] }
  }

  return {
    printers: () => Promise.all([...devices.values()].map((device) => device.printer())),

    async submitHeld(submission) {
      const device = devices.get(submission.printerOsName)
      if (!device) throw new SpoolerRefusal(`There is no printer "${submission.printerOsName}".`, ['printer-not-found'])
      const warnings = await device.accept(submission)
      purgeSometimes()
      return { spoolerJobId: await jobs().add(submission), warnings }
    },

    async release(id) {
      const job = jobs().get(id)
      if (!job) throw new Error('The spooler does not know the job.')
      if (!jobs().release(id)) throw new Error('The job was released before.')
      await jobs().durable()
      getQueue(job.printer).wake()
    },

    async remove(id) {
      const job = jobs().get(id)
      if (!job || job.phase === 'completed' || job.phase === 'aborted') return
      await getQueue(job.printer).remove(id)
    },

    async find(token) {
      const job = jobs().find(token)
      return job && { spoolerJobId: job.id, state: getState(job) }
    },

    async state(id) {
      const job = jobs().get(id)
      return job && getState(job)
    },

    async *watch(id, signal) {
      let last = ''
      for (;;) {
        signal.throwIfAborted()
        const over = new AbortController()
        const change = once(changes, id, { signal: AbortSignal.any([signal, over.signal]) })
        change.catch(() => undefined)
        try {
          const job = jobs().get(id)
          if (!job) return
          const state = getState(job)
          if (JSON.stringify(state) !== last) yield state
          last = JSON.stringify(state)
          if (state.is === 'completed' || state.is === 'aborted') return
          await change
        } finally {
          over.abort()
        }
      }
    },

    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      isClosed = true
      store?.close()
      store = undefined
    },
  }
}

/** @param dir holds what printers have said of themselves; without it nothing is remembered. */
export function openDevice(printer: NetworkPrinter, dir?: string): Device {
  return printer.uri.startsWith('socket:') ? createRawDevice(printer) : createIppDevice(printer, dir)
}
