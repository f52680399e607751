/** Queries, releases and cancels jobs of CUPS. */

import type { IppTypedAttributes } from '@platen/ipp/attributes.ts'
import { integer, keyword, uri } from '@platen/ipp/typed.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppError } from '../../ipp/ipp-error.ts'
import { type CupsJob, JOB_ATTRIBUTES, readJob } from './job-state.ts'

/** The owner of all jobs. CUPS shows the name of a job to its owner only. */
export const USER = 'platen'

/** Jobs per response. CUPS returns at most 500. */
const PAGE_SIZE = 200

export type CupsJobs = ReturnType<typeof createCupsJobs>

export const requestingUser: IppTypedAttributes = {
  'requesting-user-name': { syntax: 'nameWithoutLanguage', value: USER },
}

/**
 * CUPS would cancel a job that it processes for 3 hours, also while its device is switched off. The service limits the
 * time of a job that prints, and each job expires after at most 7 days.
 */
export const CANCEL_LATE: IppTypedAttributes = { 'job-cancel-after': integer(8 * 24 * 60 * 60) }

const REQUESTED_ATTRIBUTES = { 'requested-attributes': JOB_ATTRIBUTES.map(keyword) }

export function createCupsJobs(client: IppClient) {
  /** Jobs in the order of their ids, from the id `first`. */
  async function getPage(first: number): Promise<CupsJob[]> {
    const { jobs } = await client.request({
      operation: 'Get-Jobs',
      attributes: {
        ...requestingUser,
        'which-jobs': keyword('all'),
        'first-job-id': integer(first),
        limit: integer(PAGE_SIZE),
        ...REQUESTED_ATTRIBUTES,
      },
    })
    return jobs.map(readJob).toSorted((a, b) => a.id - b.id)
  }

  /** Adds the last texts of the queues that process a job: a job keeps only its first warning. */
  async function addQueueMessages(jobs: CupsJob[]): Promise<void> {
    const processed = jobs.filter(({ state }) => state === 'processing' || state === 'processing-stopped')
    const messages = new Map<string, Promise<string | undefined>>()
    for (const job of processed) {
      const message = messages.get(job.printerUri) ?? getQueueMessage(job)
      messages.set(job.printerUri, message)
      job.queueMessage = await message
    }
  }

  async function getQueueMessage({ printerUri }: CupsJob): Promise<string | undefined> {
    try {
      const { printers } = await client.request({
        operation: 'Get-Printer-Attributes',
        attributes: {
          'printer-uri': uri(`ipp://localhost${new URL(printerUri).pathname}`),
          ...requestingUser,
          'requested-attributes': keyword('printer-state-message'),
        },
      })
      const [message] = printers[0]?.['printer-state-message'] ?? []
      return typeof message === 'string' ? message : undefined
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }

  async function request(
    operation: 'Release-Job' | 'Cancel-Job',
    id: number,
    attributes: IppTypedAttributes = {},
  ): Promise<void> {
    await client.request({ operation, attributes: { ...toJobUri(id), ...requestingUser, ...attributes } })
  }

  async function cancel(id: number, attributes?: IppTypedAttributes): Promise<void> {
    try {
      await request('Cancel-Job', id, attributes)
    } catch (error) {
      if (!isNotFound(error) && !isNotPossible(error)) throw error
    }
  }

  return {
    /** @returns undefined if CUPS has no such job, or a different job with this id. */
    async get(id: number, uuid?: string): Promise<CupsJob | undefined> {
      if (!isId(id)) return undefined
      try {
        const { jobs } = await client.request({
          operation: 'Get-Job-Attributes',
          attributes: { ...toJobUri(id), ...requestingUser, ...REQUESTED_ATTRIBUTES },
        })
        const job = jobs[0] && readJob(jobs[0])
        if (!job || (uuid !== undefined && job.uuid !== uuid)) return undefined
        await addQueueMessages([job])
        return job
      } catch (error) {
        if (isNotFound(error)) return undefined
        throw error
      }
    },

    /** The jobs that CUPS knows, by id. Uses one request for each range of adjacent ids. */
    async poll(ids: number[]): Promise<Map<number, CupsJob>> {
      const found = new Map<number, CupsJob>()
      const sortedIds = ids.filter(isId).toSorted((a, b) => a - b)
      for (let next = sortedIds[0]; next !== undefined; ) {
        const jobs = await getPage(next)
        for (const job of jobs) found.set(job.id, job)
        const last = jobs.at(-1)?.id
        next = last === undefined || jobs.length < PAGE_SIZE ? undefined : sortedIds.find((id) => id > last)
      }
      await addQueueMessages(sortedIds.flatMap((id) => found.get(id) ?? []))
      return found
    },

    /** All jobs whose names end with the suffix. */
    async findByNameSuffix(suffix: string): Promise<CupsJob[]> {
      const found: CupsJob[] = []
      for (let next: number | undefined = 1; next !== undefined; ) {
        const jobs = await getPage(next)
        found.push(...jobs.filter(({ name }) => name.endsWith(suffix)))
        const last: number | undefined = jobs.at(-1)?.id
        next = last === undefined || jobs.length < PAGE_SIZE ? undefined : last + 1
      }
      return found
    },

    release: (id: number) => request('Release-Job', id),

    /** An ended or unknown job is unchanged. */
    cancel: (id: number) => cancel(id),

    /** Cancels the job and removes it from the history of CUPS. */
    purge: (id: number) => cancel(id, { 'purge-job': { syntax: 'boolean', value: true } }),
  }
}

const toJobUri = (id: number): IppTypedAttributes => ({
  'job-uri': uri(`ipp://localhost/jobs/${id}`),
})

/** The journal can contain an invalid id. */
const isId = (id: number) => Number.isInteger(id) && id > 0

const isNotFound = (error: unknown) => error instanceof IppError && error.status === 'client-error-not-found'

const isNotPossible = (error: unknown) => error instanceof IppError && error.status === 'client-error-not-possible'
