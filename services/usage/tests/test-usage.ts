import { USAGE_CONSUMER } from '@platen/proto/subjects.ts'
import type { Api } from '@platen/test/harness/api.ts'
import { consumerOf } from '@platen/test/harness/consumer-of.ts'
import { newOrganization, printJob } from '@platen/test/harness/organization.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import type { World } from '@platen/test/harness/world.ts'
import { expect } from 'vitest'

export async function readUsage(api: Api) {
  const { status, body } = await api.get('/v1/usage')
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

export const expectPrints = (api: Api, used: number) =>
  waitFor(async () => expect((await readUsage(api)).prints.used).toBe(used))

/** An organization with a live and a test printer. */
export async function startUsage(own?: World) {
  const organization = await newOrganization(own)
  const { world, id } = organization
  const [printer, testPrinter] = [await organization.addPrinter('live'), await organization.addPrinter('test')]
  return {
    ...organization,
    printer,
    liveJob: (changes = {}) => printJob(printer.id, changes),
    testJob: (changes = {}) => printJob(testPrinter.id, changes),
    /** Until usage has handled every event of jobs, however often it was published. */
    waitUntilHandled: () =>
      waitFor(async () => {
        expect(await world.query('SELECT event_id FROM jobs.outbox WHERE payload::text LIKE $1', [`%${id}%`])).toEqual(
          [],
        )
        const pending = { num_pending: 0, num_ack_pending: 0 }
        expect(await consumerOf(world.natsServer, USAGE_CONSUMER)).toMatchObject(pending)
      }),
  }
}
