/**
 * What a driverless device says of a job that CUPS calls completed. CUPS looks at the device once a second, and one of eight jobs that the
 * device gave up was completed to CUPS (2.4.2, measured).
 */

import type { IppAttributes } from '../../ipp/attributes.ts'
import { type IppClient, openIppClient } from '../../ipp/client.ts'
import { integer, keyword, uri } from '../../ipp/typed.ts'
import { asUser } from './cups-jobs.ts'
import { type CupsJob, readJob } from './job-state.ts'

const ANSWER_TIMEOUT_MS = 2_000

/** Of its last jobs: other computers may print on it, too. */
const LAST_JOBS = 100

const WANTED = ['job-id', 'job-name', 'job-state', 'job-state-reasons'].map(keyword)

/** @returns the job as its device knows it; undefined when it speaks no IPP, does not answer in time, or does not know the job. */
export async function jobAtDevice(cups: IppClient, { printerUri, name }: CupsJob): Promise<CupsJob | undefined> {
  try {
    const device = await deviceUri(cups, printerUri)
    return device === undefined ? undefined : (await lastJobs(device)).map(readJob).find((job) => job.name === name)
  } catch {
    // Whatever it was, CUPS' own word is all there is.
    return undefined
  }
}

async function deviceUri(cups: IppClient, printerUri: string): Promise<string | undefined> {
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

async function lastJobs(url: string): Promise<IppAttributes[]> {
  const device = openIppClient({ url })
  try {
    const { jobs } = await device.request({
      operation: 'Get-Jobs',
      attributes: {
        ...asUser,
        'which-jobs': keyword('completed'),
        limit: integer(LAST_JOBS),
        'requested-attributes': WANTED,
      },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    return jobs
  } finally {
    device.close()
  }
}
