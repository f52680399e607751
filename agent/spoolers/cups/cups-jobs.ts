/** Jobs at CUPS: asks for them, releases and cancels them. */

import type { IppTypedAttributes } from '../../ipp/attributes.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppError } from '../../ipp/ipp-error.ts'
import { integer, keyword, uri } from '../../ipp/typed.ts'
import { type CupsJob, JOB_ATTRIBUTES, readJob } from './job-state.ts'

/** The owner of all jobs: CUPS shows the names of jobs to their owner alone. */
export const USER = 'platen'

/** Of one answer. CUPS gives no more than 500. */
const PAGE_SIZE = 200

export type CupsJobs = ReturnType<typeof createCupsJobs>

export const asUser: IppTypedAttributes = { 'requesting-user-name': { syntax: 'nameWithoutLanguage', value: USER } }
const WANTED = { 'requested-attributes': JOB_ATTRIBUTES.map(keyword) }

export function createCupsJobs(client: IppClient) {
  /** In the order of their ids, none below `first`. */
  async function page(first: number): Promise<CupsJob[]> {
    const { jobs } = await client.request({
      operation: 'Get-Jobs',
      attributes: {
        ...asUser,
        'which-jobs': keyword('all'),
        'first-job-id': integer(first),
        limit: integer(PAGE_SIZE),
        ...WANTED,
      },
    })
    return jobs.map(readJob).toSorted((a, b) => a.id - b.id)
  }

  async function change(operation: 'Release-Job' | 'Cancel-Job', id: number): Promise<void> {
    await client.request({ operation, attributes: { ...jobUri(id), ...asUser } })
  }

  return {
    /** @returns undefined when CUPS has no such job, or another one under its id. */
    async get(id: number, uuid?: string): Promise<CupsJob | undefined> {
      if (!isId(id)) return undefined
      try {
        const { jobs } = await client.request({
          operation: 'Get-Job-Attributes',
          attributes: { ...jobUri(id), ...asUser, ...WANTED },
        })
        const job = jobs[0] && readJob(jobs[0])
        return uuid === undefined || job?.uuid === uuid ? job : undefined
      } catch (error) {
        if (isNotFound(error)) return undefined
        throw error
      }
    },

    /** Those of the jobs that CUPS knows, by their ids: as few questions as there are crowds of ids. */
    async poll(ids: number[]): Promise<Map<number, CupsJob>> {
      const found = new Map<number, CupsJob>()
      const wanted = ids.filter(isId).toSorted((a, b) => a - b)
      for (let next = wanted[0]; next !== undefined; ) {
        const jobs = await page(next)
        for (const job of jobs) found.set(job.id, job)
        const last = jobs.at(-1)?.id
        next = last === undefined || jobs.length < PAGE_SIZE ? undefined : wanted.find((id) => id > last)
      }
      return found
    },

    /** All jobs whose names end like this. */
    async named(ending: string): Promise<CupsJob[]> {
      const found: CupsJob[] = []
      for (let next: number | undefined = 1; next !== undefined; ) {
        const jobs = await page(next)
        found.push(...jobs.filter(({ name }) => name.endsWith(ending)))
        const last: number | undefined = jobs.at(-1)?.id
        next = last === undefined || jobs.length < PAGE_SIZE ? undefined : last + 1
      }
      return found
    },

    release: (id: number) => change('Release-Job', id),

    /** One that has ended, or that CUPS does not know, is left as it is. */
    async cancel(id: number): Promise<void> {
      try {
        await change('Cancel-Job', id)
      } catch (error) {
        if (!isNotFound(error) && !isOver(error)) throw error
      }
    },
  }
}

const jobUri = (id: number): IppTypedAttributes => ({
  'job-uri': uri(`ipp://localhost/jobs/${id}`),
})

/** Of what was journaled as the id of a job, some may be none. */
const isId = (id: number) => Number.isInteger(id) && id > 0

const isNotFound = (error: unknown) => error instanceof IppError && error.status === 'client-error-not-found'

const isOver = (error: unknown) => error instanceof IppError && error.status === 'client-error-not-possible'
