import { setTimeout as sleep } from 'node:timers/promises'
import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { isFinalState } from '@platen/resources/job-states.ts'
import { makeTestPage } from '@platen/resources/test-documents/test-page.ts'
import type { Connect } from '../../launcher/connect-services.ts'
import { PRINTER } from '../../launcher/first-print.ts'
import { StartupError } from '../../launcher/startup-error.ts'
import { createKey, revokeKey } from '../admin/keys.ts'
import { createOrganization } from '../admin/organizations.ts'
import { examine } from '../doctor/examine.ts'
import { summarize } from '../doctor/summarize.ts'
import { findApiUrl } from '../find-public-urls.ts'
import { withServices } from '../with-services.ts'
import { examineNew } from './examine-new.ts'

const ORGANIZATION = 'selftest'
const DEADLINE_MS = 20_000
/** For the examination, which takes up to 8 s more. */
const EXAMINE_MS = 5_000
const POLL_EVERY_MS = 250

type Call = (path: string, body?: object) => Promise<Record<string, unknown>>

/**
 * `platen-server selftest`: runs the checks of `platen-server doctor`, then prints a page on the virtual printer of an
 * organization of its own, through the public API, and reads its event. Leaves the organization `selftest` and no key.
 * Takes at most 20 s.
 */
export async function testItself(): Promise<string> {
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  return await withServices(process.env, async (connect, { dataDirectory }) => {
    const apiUrl = await findApiUrl(process.env, dataDirectory)
    summarize(await examineNew(() => examine(process.env), AbortSignal.timeout(EXAMINE_MS)))
    const organizationId = await findOrganization(connect)
    const { key, id } = await createKey(connect, {
      org: organizationId,
      name: 'selftest',
      mode: 'test',
      scopes: 'read,print',
    })
    try {
      await printPage(callApi(apiUrl, key, deadline))
    } finally {
      await revokeKey(connect, {}, [id ?? ''])
    }
    return 'Platen prints.'
  })
}

/** A deleted one is not used again. */
async function findOrganization(connect: Connect): Promise<string> {
  const { organizations } = await connect(AccountsService).listOrganizations({})
  const known = organizations.find(({ name, isSuspended }) => name === ORGANIZATION && !isSuspended)
  return (known ?? (await createOrganization(connect, {}, [ORGANIZATION]))).id ?? ''
}

async function printPage(call: Call): Promise<void> {
  const printer = await poll(call, '/v1/printers?limit=100', ({ data }) =>
    (data as { id: string; number: number; name: string; state: string }[]).find(
      ({ name, state }) => name === PRINTER && state === 'online',
    ),
  )
  report(`the printer ${PRINTER} is online`)
  const subject = { printer: PRINTER, printerNumber: printer.number, at: new Date(), link: printer.id }
  const content = Buffer.from(makeTestPage({ heading: 'Platen self-test', ...subject })).toString('base64')
  const created = await call('/v1/printjobs', {
    printerId: printer.id,
    title: 'Self-test',
    contentType: 'pdf_base64',
    content,
  })
  report(`job ${created.id} was accepted`)
  const path = `/v1/printjobs/${created.id}`
  const job = await poll(call, path, (found) => (isFinalState(String(found.state)) ? found : undefined))
  if (job.state !== 'done') throw new StartupError(`The job ended in ${job.state}: ${job.stateMessage}`)
  report('the job was printed')
  await poll(call, '/v1/events?type=printjob.done&limit=100', ({ data }) =>
    (data as { data: { id: string } }[]).find(({ data: { id } }) => id === created.id),
  )
  report('its event is in the feed')
}

function report(fact: string): void {
  console.log(`ok  ${fact}`)
}

/** @returns the first defined value. */
async function poll<T>(call: Call, path: string, find: (found: Record<string, unknown>) => T | undefined): Promise<T> {
  for (;;) {
    const found = find(await call(path))
    if (found !== undefined) return found
    await sleep(POLL_EVERY_MS)
  }
}

/** @throws StartupError for each answer that is not a success, and at the deadline. */
function callApi(apiUrl: string, key: string, signal: AbortSignal): Call {
  return async (path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const request = { headers, signal, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
    const response = await fetch(new URL(path, apiUrl), request).catch((error: Error) => {
      const cause = error.cause instanceof Error ? error.cause.message : error.message
      throw new StartupError(`${path} of ${apiUrl}: ${cause}`)
    })
    const text = await response.text()
    if (!response.ok) throw new StartupError(`${path} of ${apiUrl} answered ${response.status}: ${text.slice(0, 500)}`)
    return JSON.parse(text)
  }
}
