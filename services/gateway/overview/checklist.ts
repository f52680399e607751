import { MANAGERS, type Role } from '../caller.ts'
import type { Gateway } from '../gateway.ts'
import { type Sources, TIMEOUT_MS } from './sources.ts'

type Services = Pick<Gateway, 'jobs' | 'devices' | 'accounts' | 'optionalTimeoutMs'>

export interface Checklist {
  samplePrinted: boolean
  computerAdded: boolean
  printedOnPaper: boolean
  keyCreated: boolean
}

/** The steps of a new installation, in both modes. Null if all are done, and for roles that cannot do them. */
export async function readChecklist(
  { jobs, devices, accounts, optionalTimeoutMs: timeoutMs = TIMEOUT_MS }: Services,
  { read }: Pick<Sources, 'read'>,
  { organizationId, role }: { organizationId: string; role: Role },
): Promise<Checklist | null> {
  if (!MANAGERS.includes(role)) return null
  const hasPrinted = async (mode: string) => {
    const page = { limit: 1 }
    const found = await jobs.listJobs({ organizationId, mode, states: ['done'], page }, { timeoutMs })
    return found.jobs.length > 0
  }
  const hasKey = async (mode: string) =>
    (await accounts.listApiKeys({ organizationId, mode }, { timeoutMs })).apiKeys.length > 0
  const [printedOnPaper, count, keyCreated] = await Promise.all([
    read('jobs', hasPrinted('live')),
    read('devices', devices.countComputers({ organizationId, mode: 'live' }, { timeoutMs })),
    read(
      'keys',
      hasKey('live').then(async (found) => found || (await hasKey('test'))),
    ),
  ])
  // A sample proves nothing to those who have printed on paper.
  const samplePrinted = printedOnPaper || (await read('jobs', hasPrinted('test')))
  if (printedOnPaper === undefined || samplePrinted === undefined || !count || keyCreated === undefined) return null
  const checklist = { samplePrinted, computerAdded: count.count > 0, printedOnPaper, keyCreated }
  return Object.values(checklist).every(Boolean) ? null : checklist
}
