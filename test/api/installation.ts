/** Access of tests to the shared installation: an organization per test, REST and agents. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { administer } from '@platen/deploy/commands/admin/administer.ts'
import { expect, inject } from 'vitest'
import { type Api, createApi, type Exchange } from '../harness/api.ts'
import { type Computer, enrollComputer } from '../harness/enroll-computer.ts'
import { connectLightAgent, type LightAgent } from '../harness/light-agent.ts'
import { makePdf } from '../harness/pdf.ts'
import type { SharedInstallation } from './global-setup.ts'

export const installation: SharedInstallation = await askForInstallation()

async function askForInstallation(): Promise<SharedInstallation> {
  const response = await fetch(inject('installationUrl'))
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as SharedInstallation
}

/** In the titles and documents that tests send; `test/history/secrets.test.ts` searches for them. */
export const TITLE_CANARY = 'canary-title-7f3a'
export const CONTENT_CANARY = 'canary-content-51c7'
/** In the URL and the credentials of a fetched document. */
export const FETCH_CANARY = 'canary-fetch-9d04'

export const PDF = makePdf(CONTENT_CANARY)

export const ISO_TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const UUID_V7 = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

let jobs = 0

/** With a unique title. */
export function newJob(printerId: string, changes: Record<string, unknown> = {}) {
  const title = `${TITLE_CANARY} ${process.pid}.${++jobs}`
  return { printerId, title, contentType: 'pdf_base64', content: PDF.toString('base64'), ...changes }
}

/** Runs `npm run admin`. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert any part of a response
export const admin = async (...args: string[]): Promise<any> =>
  await administer(args, { PLATEN_DATA_DIR: installation.dataDir })

/** A request as `test/history` reads it. */
export type RecordedRequest = Omit<Exchange, 'answer'> & {
  organizationId: string
  status?: number
  isReplay?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: any response body
  body?: any
}

/** Adds a line to a file of this worker. */
export function record(file: 'requests' | 'webhooks', line: object): void {
  appendFileSync(join(installation.recordsDir, `${file}-${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}

export interface Organization {
  id: string
  /** With all scopes, of live mode. */
  api: Api
  /** With all scopes, of test mode. */
  testApi: Api
  addKey(mode: 'test' | 'live', scopes: string): Promise<{ id: string; api: Api }>
  /** A live computer with the printer `Bench`, which completes jobs instantly. */
  connectAgent(hears?: Parameters<typeof connectLightAgent>[2]): Promise<ConnectedComputer>
}

/** Its agent stays connected until a test closes it or the worker ends. */
export interface ConnectedComputer extends Computer {
  agent: LightAgent
  printerId: string
}

export async function newOrganization(): Promise<Organization> {
  return await openOrganization((await admin('orgs', 'create', 'Corner shop')).id)
}

/** @param keyName of its new keys. */
export async function openOrganization(id: string, keyName?: string): Promise<Organization> {
  const named = keyName === undefined ? [] : ['--name', keyName]
  async function addKey(mode: 'test' | 'live', scopes = 'read,print,admin') {
    const made = await admin('keys', 'create', '--org', id, '--mode', mode, '--scopes', scopes, ...named)
    return { id: made.id as string, api: apiFor(id, made.key) }
  }
  const [{ api }, { api: testApi }] = await Promise.all([addKey('live'), addKey('test')])
  return {
    id,
    api,
    testApi,
    addKey,
    async connectAgent(hears) {
      const computer = await enrollComputer(api)
      const agent = await connectLightAgent(agentAddress, computer.credential, hears)
      const { body } = await api.get(`/v1/computers/${computer.computerId}/printers`)
      return { ...computer, agent, printerId: body.data[0].id }
    },
  }
}

/** Every request is recorded. */
function apiFor(organizationId: string, key: string): Api {
  return createApi(installation.credentials.baseUrl, key, {
    record({ answer, ...request }) {
      const { status, headers, body } = answer ?? {}
      const isReplay = headers?.get('idempotent-replayed') === 'true'
      // The history does not need documents of 25 MB.
      const requestBody = (request.requestBody?.length ?? 0) < 100_000 ? request.requestBody : undefined
      const line: RecordedRequest = { ...request, requestBody, organizationId, status, isReplay, body }
      record('requests', line)
    },
  })
}

export const agentAddress = new URL(installation.credentials.agentUrl).host
