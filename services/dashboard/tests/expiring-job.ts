/** A job that expires 60 s after the beginning of the run, the shortest time, while other tests run. */
import { administer } from '@platen/deploy/commands/admin/administer.ts'
import type { SharedInstallation } from '@platen/test/api/global-setup.ts'
import { createApi } from '@platen/test/harness/api.ts'
import { connectLightAgent } from '@platen/test/harness/light-agent.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'

declare module 'vitest' {
  interface ProvidedContext {
    expiring: ExpiringJob
  }
}

export interface ExpiringJob {
  /** With a computer that is offline, and this job. */
  organizationId: string
  jobId: string
}

const EXPIRE_AFTER_SECONDS = 60

export async function createExpiringJob({ dataDir, credentials }: SharedInstallation): Promise<ExpiringJob> {
  const admin = async (...args: string[]) =>
    (await administer(args, { PLATEN_DATA_DIR: dataDir })) as { id: string; key: string }
  const { id: organizationId } = await admin('orgs', 'create', 'Corner shop')
  const { key } = await admin(
    'keys',
    'create',
    '--org',
    organizationId,
    '--mode',
    'live',
    '--scopes',
    'print,admin,read',
  )
  const api = createApi(credentials.baseUrl, key)
  const { body: enrollment } = await api.post('/v1/enrollments', {})
  const computer = { hostname: 'Night-desk', os: 'linux', osVersion: '12', arch: 'x64', agentVersion: '0.1.0' }
  const { body } = await api.post('/v1/agents/enroll', computer, { authorization: `Bearer ${enrollment.token}` })
  const agent = await connectLightAgent(new URL(credentials.agentUrl).host, body.credential)
  const { id: printerId } = await api.printer('Bench')
  agent.close()
  await waitFor(async () => {
    const { state } = (await api.get(`/v1/computers/${body.computerId}`)).body
    if (state !== 'offline') throw new Error(`the computer is ${state}`)
  })
  const { id: jobId } = await api.createJob({
    printerId,
    title: 'Order 10411, label',
    contentType: 'pdf_base64',
    content: makePdf('Order 10411').toString('base64'),
    expireAfter: EXPIRE_AFTER_SECONDS,
  })
  return { organizationId, jobId }
}
