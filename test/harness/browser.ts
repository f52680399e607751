/** A browser with a session of the dashboard: cookies and the headers that browsers send, without a page. */
import type { Answer } from './api.ts'
import { checkDocumented } from './documented-answers.ts'
import { readCode } from './mailbox.ts'
import type { Organization } from './organization.ts'
import type { World } from './world.ts'

export type Role = 'owner' | 'admin' | 'member'

export interface BrowserRequest {
  /** Sent as JSON. */
  body?: unknown
  /** Replace those of a browser. An empty value removes a header. */
  headers?: Record<string, string>
  /** The URL of another gateway. */
  url?: string
}

export type Browser = ReturnType<typeof createBrowser>

/** @param mode of all requests. Some below `/account` ignore it. */
export function createBrowser(baseUrl: string, mode = 'live') {
  const cookies = new Map<string, string>()

  async function request(method: string, path: string, { body, headers = {}, url = baseUrl }: BrowserRequest = {}) {
    const all = new Headers({
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      ...(method !== 'GET' && method !== 'DELETE' && { 'content-type': 'application/json' }),
      'platen-mode': mode,
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...headers,
    })
    for (const [name, value] of [...all]) if (value === '') all.delete(name)
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(url + path, { method, headers: all, ...(text !== undefined && { body: text }) })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const received = await response.text()
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body: received === '' ? null : JSON.parse(received),
    }
    if (path.startsWith('/v1')) {
      const header = (name: string) => response.headers.get(name)
      checkDocumented({ method, target: path, status: answer.status, header, body: answer.body })
    }
    return answer
  }

  return {
    cookies,
    request,
    get: (path: string, options?: BrowserRequest) => request('GET', path, options),
    post: (path: string, body: unknown = {}, options: BrowserRequest = {}) =>
      request('POST', path, { body, ...options }),
    delete: (path: string, options?: BrowserRequest) => request('DELETE', path, options),
    /** @returns the answer to the code of the mail. */
    async signIn(world: World, email: string): Promise<Answer> {
      await request('POST', '/account/sign-in', { body: { email } })
      return await request('POST', '/account/sign-in/code', { body: { code: await readCode(world, email) } })
    },
  }
}

let users = 0

/** A browser of a new member of the organization. Signs in by the code of an operator, which has no limits. */
export async function signInAs({ id, world }: Pick<Organization, 'id' | 'world'>, role: Role, mode = 'live') {
  const email = `${role}-${process.pid}-${++users}@example.com`
  const { member } = await world.accounts.addMember({ organizationId: id, email, role })
  const browser = createBrowser(world.gatewayUrl, mode)
  return { ...(await addSession(browser, world, email)), email, userId: member?.userId ?? '' }
}

/** Adds a session of a user to a browser. */
export async function addSession(browser: Browser, world: World, email: string) {
  const { code } = await world.accounts.createSignInCode({ email })
  const { status, body } = await browser.post('/account/sign-in/code', { code })
  if (status !== 200) throw new Error(`sign-in failed: ${JSON.stringify(body)}`)
  return { ...browser, sessionId: body.id as string }
}
