/** The organization of the bench and its owner in the browser. */
import { administer } from '@platen/deploy/commands/admin/administer.ts'
import { type Api, createApi } from '@platen/test/harness/api.ts'
import { connectLightAgent, type LightAgent } from '@platen/test/harness/light-agent.ts'
import { makePdf } from '@platen/test/harness/pdf.ts'
import type { Platen } from '@platen/test/harness/platen.ts'
import type { Browser, BrowserContext } from 'playwright-core'
import { signIn, toPageOrigin } from '../chromium.ts'

/** An organization with an owner who is signed in in a browser. */
export interface Visitor {
  /** The origin of the pages: "http://platen.test:8080". */
  origin: string
  /** With all scopes, of live mode. */
  addKey(): Promise<Api>
  /** A live computer with one printer, whose agent prints instantly and is not connected any more. */
  addComputer(): Promise<{ printerId: string; connect(): Promise<LightAgent> }>
  /** A window with the session and nothing in its cache. */
  newContext(): Promise<BrowserContext>
  /** A window without a session. */
  newStranger(): Promise<BrowserContext>
}

const VIEWPORT = { width: 1280, height: 800 }

export async function createVisitor(platen: Platen, browser: Browser): Promise<Visitor> {
  const { baseUrl } = platen.credentials
  // biome-ignore lint/suspicious/noExplicitAny: any answer of a command
  const admin = async (...args: string[]): Promise<any> => await administer(args, { PLATEN_DATA_DIR: platen.dataDir })
  const { id } = await admin('orgs', 'create', 'Bench')
  const email = 'owner@example.com'
  await admin('users', 'add', '--org', id, '--email', email, '--role', 'owner')
  const signedIn = await browser.newContext()
  await signIn(signedIn, baseUrl, (await admin('users', 'sign-in-code', email)).code)
  const storageState = await signedIn.storageState()
  await signedIn.close()
  const addKey = async () => {
    const { key } = await admin('keys', 'create', '--org', id, '--mode', 'live', '--scopes', 'read,print,admin')
    // What the bench computes is missing to the services.
    return createApi(baseUrl, key, { documented: false })
  }
  return {
    origin: toPageOrigin(baseUrl),
    addKey,
    async addComputer() {
      const api = await addKey()
      const { body } = await api.post('/v1/enrollments', {})
      const computer = { hostname: 'till-1', os: 'linux', osVersion: '12', arch: 'x64', agentVersion: '0.1.0' }
      const { body: enrolled } = await api.post('/v1/agents/enroll', computer, {
        authorization: `Bearer ${body.token}`,
      })
      const connect = () => connectLightAgent(new URL(platen.credentials.agentUrl).host, enrolled.credential)
      const agent = await connect()
      const printers = await api.get(`/v1/computers/${enrolled.computerId}/printers`)
      agent.close()
      return { printerId: printers.body.data[0].id, connect }
    },
    newContext: () => browser.newContext({ storageState, viewport: VIEWPORT }),
    newStranger: () => browser.newContext({ viewport: VIEWPORT }),
  }
}

const CONTENT = makePdf('Bench').toString('base64')

export const newJob = (printerId: string, title: string) => ({
  printerId,
  title,
  contentType: 'pdf_base64',
  content: CONTENT,
})
