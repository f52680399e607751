/** Prints through CUPS on Linux and macOS. Uses IPP only, so no programs or libraries of CUPS are needed. */
import { type IppClient, openIppClient } from '../../ipp/client.ts'
import type { Spooler } from '../spooler.ts'
import { findCups } from './connect-cups.ts'
import { createCupsJobs } from './cups-jobs.ts'
import { createCupsPrinters } from './cups-printers.ts'
import { getJobAtDevice } from './job-at-device.ts'
import { toNameSuffix } from './job-name.ts'
import { type CupsJob, toState } from './job-state.ts'
import { toReportedQueue } from './queue.ts'
import { submit } from './submit.ts'
import { createWatcher } from './watch.ts'

/** @param client a client of the CUPS of this computer or of `CUPS_SERVER`. */
export function createCupsSpooler(client: IppClient = openIppClient(findCups())): Spooler {
  const printers = createCupsPrinters({ client })
  const jobs = createCupsJobs(client)
  const watchJob = createWatcher({ ...jobs, toWaiting, getJobAtDevice: (job) => getJobAtDevice(client, job) })
  let lastPrinters: Awaited<ReturnType<Spooler['printers']>> | undefined

  async function listPrinters(): ReturnType<Spooler['printers']> {
    lastPrinters = await printers()
    return lastPrinters
  }

  async function getReportedQueue(osName: string) {
    const isListed = lastPrinters?.some((printer) => printer.osName === osName)
    const list = isListed ? lastPrinters : await listPrinters()
    const { capabilities } = list?.find((printer) => printer.osName === osName) ?? {}
    return capabilities && toReportedQueue(capabilities)
  }

  /** CUPS does not say of a job that its queue is stopped. The printers are listed every few seconds. */
  function toWaiting({ printerUri }: CupsJob) {
    const printer = lastPrinters?.find(({ osName }) => osName === toQueueName(printerUri))
    return printer?.state === 'offline'
      ? { message: printer.stateDetail, reasons: printer.stateReasons ?? [] }
      : { reasons: [] }
  }

  async function find(token: string): ReturnType<Spooler['find']> {
    const named = await jobs.findByNameSuffix(toNameSuffix(token))
    // The agent was killed before it sent the document.
    for (const { id, hasDocument, state } of named) if (!hasDocument && state === 'pending-held') await jobs.cancel(id)
    const job = named.findLast(({ hasDocument }) => hasDocument)
    return job && { spoolerJobId: toSpoolerJobId(job), state: toState(job) }
  }

  return {
    printers: listPrinters,
    find,

    async submitHeld(submission) {
      const { job, warnings } = await submit({ client, jobs, getReportedQueue }, submission)
      return { spoolerJobId: toSpoolerJobId(job), warnings }
    },

    async release(spoolerJobId) {
      const { id, uuid } = parseSpoolerJobId(spoolerJobId)
      const job = await jobs.get(id, uuid)
      if (!job) throw new Error('CUPS does not know the job.')
      await jobs.release(id)
    },

    async remove(spoolerJobId) {
      const { id, uuid } = parseSpoolerJobId(spoolerJobId)
      if (await jobs.get(id, uuid)) await jobs.cancel(id)
    },

    async state(spoolerJobId) {
      const { id, uuid } = parseSpoolerJobId(spoolerJobId)
      const job = await jobs.get(id, uuid)
      return job && toState(job)
    },

    watch(spoolerJobId, signal) {
      const { id, uuid } = parseSpoolerJobId(spoolerJobId)
      return watchJob(id, uuid, signal)
    },
  }
}

const toQueueName = (printerUri: string) => decodeURIComponent(printerUri.split('/').at(-1) ?? '')

/** Contains the UUID, because CUPS reuses the ids of jobs that it lost in a crash. */
const toSpoolerJobId = ({ id, uuid }: CupsJob) => `${id} ${uuid}`

function parseSpoolerJobId(spoolerJobId: string): { id: number; uuid: string } {
  const [id = '', uuid = ''] = spoolerJobId.split(' ')
  return { id: Number(id), uuid }
}
