/**
 * Queries and cancels jobs at their driverless device. CUPS polls the device once a second, and CUPS 2.4.2 shows one of
 * eight jobs that the device aborted as completed (measured).
 */

import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { integer, keyword, uri } from '@platen/ipp/typed.ts'
import { type IppClient, openIppClient } from '../../ipp/client.ts'
import { requestingUser } from './cups-jobs.ts'
import { type CupsJob, readJob } from './job-state.ts'

const ANSWER_TIMEOUT_MS = 2_000

/** Larger than 1, because other computers can print on the device as well. */
const RECENT_JOBS = 100

const REQUESTED_ATTRIBUTES = ['job-id', 'job-name', 'job-state', 'job-state-reasons'].map(keyword)

/**
 * @returns the job at the device; undefined if the device does not support IPP, does not answer in time, or does not
 *   know the job.
 */
export const getJobAtDevice = (cups: IppClient, job: CupsJob) =>
  queryDevice(cups, job, (device) => findJob(device, job, 'completed'))

/**
 * Cancels a job whose document the device refused. CUPS leaves it open, and the device would wait for its document
 * instead of printing the next job. Best effort.
 */
export async function cancelJobAtDevice(cups: IppClient, job: CupsJob): Promise<void> {
  await queryDevice(cups, job, async (device) => {
    const open = await findJob(device, job, 'not-completed')
    if (open) await device.request({ operation: 'Cancel-Job', ...withLimit({ 'job-id': integer(open.id) }) })
  })
}

/** @returns undefined if the device does not support IPP, or after an error. */
async function queryDevice<T>(
  cups: IppClient,
  { printerUri }: CupsJob,
  query: (device: IppClient) => Promise<T>,
): Promise<T | undefined> {
  let device: IppClient | undefined
  try {
    const url = await getDeviceUri(cups, printerUri)
    device = url === undefined ? undefined : openIppClient({ url })
    return device && (await query(device))
  } catch {
    // The state of CUPS is used instead.
    return undefined
  } finally {
    device?.close()
  }
}

async function getDeviceUri(cups: IppClient, printerUri: string): Promise<string | undefined> {
  const { pathname } = new URL(printerUri)
  const { printers } = await cups.request({
    operation: 'Get-Printer-Attributes',
    attributes: {
      'printer-uri': uri(`ipp://localhost${pathname}`),
      'requested-attributes': keyword('device-uri'),
    },
  })
  const [device] = printers[0]?.['device-uri'] ?? []
  return typeof device === 'string' && /^ipps?:\/\//.test(device) ? device : undefined
}

async function findJob(
  device: IppClient,
  { name }: CupsJob,
  which: 'completed' | 'not-completed',
): Promise<CupsJob | undefined> {
  const attributes = {
    'which-jobs': keyword(which),
    limit: integer(RECENT_JOBS),
    'requested-attributes': REQUESTED_ATTRIBUTES,
  }
  const { jobs } = await device.request({ operation: 'Get-Jobs', ...withLimit(attributes) })
  return jobs.map(readJob).find((job) => job.name === name)
}

const withLimit = (attributes: IppTypedAttributes) => ({
  attributes: { ...requestingUser, ...attributes },
  signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
})
