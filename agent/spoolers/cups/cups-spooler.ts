/** Prints through CUPS, on Linux and macOS. All of it is IPP: nothing of CUPS has to be installed beside the server itself. */
import { type IppClient, openIppClient } from '../../ipp/client.ts'
import type { Spooler } from '../spooler.ts'
import { findCups } from './connect-cups.ts'
import { createCupsJobs } from './cups-jobs.ts'
import { createCupsPrinters } from './cups-printers.ts'
import { jobAtDevice } from './job-at-device.ts'
import { nameEnding } from './job-name.ts'
import { type CupsJob, toState } from './job-state.ts'
import { toReportedQueue } from './queue.ts'
import { submit } from './submit.ts'
import { createWatcher } from './watch.ts'

/** @param client of the CUPS of this computer, or of the one that `CUPS_SERVER` names. */
export function createCupsSpooler(client: IppClient = openIppClient(findCups())): Spooler {
  const printers = createCupsPrinters({ client })
  const jobs = createCupsJobs(client)
  const watchJob = createWatcher({ ...jobs, atDevice: (job) => jobAtDevice(client, job) })
  let known: Awaited<ReturnType<Spooler['printers']>> | undefined

  async function report(): ReturnType<Spooler['printers']> {
    known = await printers()
    return known
  }

  async function getReported(osName: string) {
    const isHere = known?.some((printer) => printer.osName === osName)
    const { capabilities } = (isHere ? known : await report())?.find((printer) => printer.osName === osName) ?? {}
    return capabilities && toReportedQueue(capabilities)
  }

  async function find(token: string): ReturnType<Spooler['find']> {
    const named = await jobs.named(nameEnding(token))
    // Its document never came: the agent was killed in between.
    for (const { id, hasDocument, state } of named) if (!hasDocument && state === 'pending-held') await jobs.cancel(id)
    const job = named.findLast(({ hasDocument }) => hasDocument)
    return job && { spoolerJobId: spoolerJobId(job), state: toState(job) }
  }

  return {
    printers: report,
    find,

    async submitHeld(submission) {
      const { job, warnings } = await submit({ client, jobs, getReported }, submission)
      return { spoolerJobId: spoolerJobId(job), warnings }
    },

    async release(spoolerJobId) {
      const { id, uuid } = parse(spoolerJobId)
      const job = await jobs.get(id, uuid)
      if (!job) throw new Error('CUPS does not know the job any more.')
      await jobs.release(id)
    },

    async remove(spoolerJobId) {
      const { id, uuid } = parse(spoolerJobId)
      if (await jobs.get(id, uuid)) await jobs.cancel(id)
    },

    async state(spoolerJobId) {
      const { id, uuid } = parse(spoolerJobId)
      const job = await jobs.get(id, uuid)
      return job && toState(job)
    },

    watch(spoolerJobId, signal) {
      const { id, uuid } = parse(spoolerJobId)
      return watchJob(id, uuid, signal)
    },
  }
}

/** The id alone is not enough: CUPS gives those of jobs that it forgot in a crash away again. */
const spoolerJobId = ({ id, uuid }: CupsJob) => `${id} ${uuid}`

function parse(spoolerJobId: string): { id: number; uuid: string } {
  const [id = '', uuid = ''] = spoolerJobId.split(' ')
  return { id: Number(id), uuid }
}
