/** Jobs by number, and their printers. */
import type { Job } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import type { Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { type NumberRange, parseSet } from './numbers.ts'
import { type JsonText, jobToPrintNode, printersToPrintNode, toJsonArray } from './to-json.ts'

/** The jobs of one list. */
export const JOBS_MAX = 100

interface JobFilters {
  /** Sets of ids. */
  printers?: string | undefined
  jobs?: string | undefined
  states?: string[]
  limit?: number
  after?: number | undefined
  ascending?: boolean
}

export async function readJobs(
  { jobs, devices }: Gateway,
  tenant: Tenant,
  { printers, jobs: set, states = [], limit = JOBS_MAX, after, ascending = false }: JobFilters,
): Promise<Job[]> {
  const numbers: NumberRange[] = set === undefined ? [] : parseSet(set)
  const printerIds: string[] = []
  if (printers !== undefined) {
    const found = await devices.listNumberedPrinters({ ...tenant, numbers: parseSet(printers), limit: JOBS_MAX })
    if (found.printers.length === 0) return []
    printerIds.push(...found.printers.map(({ id }) => id))
  }
  const found = await jobs.listNumberedJobs({ ...tenant, numbers, printerIds, states, limit, after, ascending })
  return found.jobs
}

/** @returns the jobs with their printers. */
export async function jobsToPrintNode({ devices }: Gateway, tenant: Tenant, jobs: Job[]): Promise<JsonText> {
  if (jobs.length === 0) return toJsonArray([])
  const printerIds = [...new Set(jobs.map(({ printerId }) => printerId))]
  const request = { ...tenant, printerIds, limit: JOBS_MAX, withCapabilities: true }
  const printers = printersToPrintNode(await devices.listNumberedPrinters(request))
  return toJsonArray(jobs.map((job) => jobToPrintNode(job, printers.get(job.printerId))))
}
