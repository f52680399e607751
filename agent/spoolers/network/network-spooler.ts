/**
 * The spooler of the network printers of the configuration. Stores their jobs on disk until their release, and sends
 * them.
 */
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import type { RawLanguage } from '@platen/proto/raw-languages.ts'
import type { Logger } from 'pino'
import type { Backoff } from '../../backoff.ts'
import type { AddressGuard } from '../../ipp/http.ts'
import { createFolderDevice } from '../folder/folder-device.ts'
import { type Spooler, SpoolerRefusal, type SpoolerState } from '../spooler.ts'
import { isFolder, type NetworkPrinter } from './config.ts'
import type { Device } from './device.ts'
import { createIppDevice } from './ipp-device.ts'
import { type JobStore, type NetworkJob, openJobStore } from './job-store.ts'
import { PRINTERS_DIR } from './key-pin.ts'
import { createQueue, type Queue } from './queue.ts'
import { createRawDevice } from './raw-device.ts'

const PURGE_INTERVAL_MS = 60 * 60 * 1000

/** Delays between attempts to reach a printer. */
const BACKOFF: Backoff = { baseMs: 2_000, maxMs: 30_000 }

/** Printers can be added and deleted at any time. Jobs of a deleted printer that were not sent end. */
export interface NetworkSpooler extends Spooler {
  /** Keyed by the name of the printer. */
  readonly devices: ReadonlyMap<string, Device>
  add(name: string, device: Device): void
  delete(name: string): void
}

export interface NetworkSpoolerOptions {
  /** Stores the jobs. Locked by one agent from its first call about a job. */
  dir: string
  printers: NetworkPrinter[]
  log: Logger
  getLanguage?: DeviceOptions['getLanguage']
  /** Replaces the devices of the URIs in tests. */
  openDevice?: (printer: NetworkPrinter) => Device
  backoff?: Backoff
}

export function createNetworkSpooler({
  dir,
  printers,
  log,
  getLanguage,
  openDevice: open = (printer) => openDevice(printer, { dir: join(dir, PRINTERS_DIR), getLanguage }),
  backoff = BACKOFF,
}: NetworkSpoolerOptions): NetworkSpooler {
  const devices = new Map(printers.map((printer) => [printer.name, open(printer)]))
  const changes = new EventEmitter().setMaxListeners(0)
  const queues = new Map<string, Queue>()
  let store: JobStore | undefined
  let isStarted = false
  let isClosed = false
  let purgedAtMs = 0

  /** Opened by the first call about a job, so that a list of printers does not lock the store. */
  function getStore(): JobStore {
    if (isClosed) throw new Error('The spooler is closed.')
    if (store) return store
    store = openJobStore(dir)
    if (isStarted) continueJobs(store)
    return store
  }

  /** Continues the jobs of an earlier process. */
  function continueJobs(opened: JobStore): void {
    for (const printer of opened.printersWithJobs()) getQueue(printer).wake()
  }

  function getQueue(printer: string): Queue {
    const queue =
      queues.get(printer) ??
      createQueue(
        printer,
        () => devices.get(printer),
        getStore(),
        backoff,
        log,
        (id) => changes.emit(id),
      )
    queues.set(printer, queue)
    return queue
  }

  function purgeIfDue(): void {
    if (performance.now() - purgedAtMs < PURGE_INTERVAL_MS && purgedAtMs > 0) return
    purgedAtMs = performance.now()
    getStore().purge()
  }

  function getState(job: NetworkJob): SpoolerState {
    const { phase, message, reasons, confirmedBy } = job
    if (phase === 'held') return { is: 'held', reasons: ['job-hold-until-specified'] }
    if (phase === 'completed' || phase === 'aborted')
      return { is: phase, ...(message && { message }), reasons, ...(confirmedBy && { confirmedBy }) }
    return getQueue(job.printer).getState(job.id) ?? { is: 'pending', reasons: [] }
  }

  return {
    devices,

    add: (name, device) => void devices.set(name, device),

    delete(name) {
      devices.delete(name)
      queues.get(name)?.wake()
    },

    printers: () => Promise.all([...devices.values()].map((device) => device.printer())),

    async submitHeld(submission) {
      const device = devices.get(submission.printerOsName)
      if (!device)
        throw new SpoolerRefusal(`The computer has no printer "${submission.printerOsName}".`, ['printer-not-found'])
      const warnings = await device.accept(submission)
      purgeIfDue()
      return { spoolerJobId: await getStore().add(submission), warnings }
    },

    async release(id) {
      const job = getStore().get(id)
      if (!job) throw new Error('The spooler does not know the job.')
      if (!getStore().release(id)) throw new Error('The job has already been released.')
      // The queue syncs the store again before it sends anything.
      await getStore()
        .durable()
        .finally(() => getQueue(job.printer).wake())
    },

    async remove(id) {
      const job = getStore().get(id)
      if (!job || job.phase === 'completed' || job.phase === 'aborted') return
      await getQueue(job.printer).remove(id)
    },

    async find(token) {
      const job = getStore().find(token)
      return job && { spoolerJobId: job.id, state: getState(job) }
    },

    async state(id) {
      const job = getStore().get(id)
      return job && getState(job)
    },

    async *watch(id, signal) {
      let last = ''
      for (;;) {
        signal.throwIfAborted()
        const end = new AbortController()
        const change = once(changes, id, { signal: AbortSignal.any([signal, end.signal]) })
        change.catch(() => undefined)
        try {
          const job = getStore().get(id)
          if (!job) return
          const state = getState(job)
          if (JSON.stringify(state) !== last) yield state
          last = JSON.stringify(state)
          if (state.is === 'completed' || state.is === 'aborted') return
          await change
        } finally {
          end.abort()
        }
      }
    },

    start() {
      if (!isStarted && store) continueJobs(store)
      isStarted = true
    },

    async close() {
      await Promise.all([...queues.values()].map((queue) => queue.close()))
      isClosed = true
      store?.close()
      store = undefined
    },
  }
}

export interface DeviceOptions {
  /** Stores the last attributes and answers of printers; absent for no storage. */
  dir?: string | undefined
  /** Absent for a printer of the owner of the computer, which may have any address. */
  guard?: AddressGuard | undefined
  /** The language of a raw printer by its name. */
  getLanguage?: ((name: string) => RawLanguage | undefined) | undefined
}

export function openDevice(printer: NetworkPrinter, { dir, guard, getLanguage }: DeviceOptions = {}): Device {
  if (isFolder(printer)) return createFolderDevice(printer)
  return printer.uri.startsWith('socket:')
    ? createRawDevice(printer, { guard, dir, getLanguage: getLanguage && (() => getLanguage(printer.name)) })
    : createIppDevice(printer, dir, guard)
}
