/**
 * Queries the state of a completed job from its driverless device. CUPS polls the device once a second, and CUPS 2.4.2 shows one of eight
 * jobs that the device aborted as completed (measured).
 */

import type { IppAttributes } from '../../ipp/attributes.ts'
import { type IppClient, openIppClient } from '../../ipp/client.ts'
import { integer, keyword, uri } from '../../ipp/typed.ts'
import { requestingUser } from './cups-jobs.ts'
import { type CupsJob, readJob } from './job-state.ts'

const ANSWER_TIMEOUT_MS = 2_000

/** Larger than 1, because other computers can print on the device as well. */
const RECENT_JOBS = 100

const REQUESTED_ATTRIBUTES = ['job-id', 'job-name', 'job-state', 'job-state-reasons'].map(keyword)

/** @returns the job at the device; undefined if the device does not support IPP, does not answer in time, or does not know the job. */
export async function getJobAtDevice(cups: IppClient, { printerUri, name }: CupsJob): Promise<CupsJob | undefined> {
  try {
    const device = await getDeviceUri(cups, printerUri)
    return device === undefined
      ? undefined
      : (await getRecentJobs(device)).map(readJob).find((job) => job.name === name)
  } catch {
    // The state of CUPS is used instead.
    return undefined
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

async function getRecentJobs(url: string): Promise<IppAttributes[]> {
  const device = openIppClient({ url })
  try {
    const { jobs } = await device.request({
      operation: 'Get-Jobs',
      attributes: {
        ...requestingUser,
        'which-jobs': keyword('completed'),
        limit: integer(RECENT_JOBS),
        'requested-attributes': REQUESTED_ATTRIBUTES,
      },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    return jobs
  } finally {
    device.close()
  }
}
