/** What a server between the agent and the service answers: the agent always comes back by itself. */
import { status } from '@grpc/grpc-js'
import { proves } from '@platen/test/harness/rules.ts'
import { expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { examineStream } from '../../doctor/stream.ts'
import { SYSTEM_CLOCK } from '../../expiry.ts'
import { askStatus, getStatusAddress } from '../../status/ask-status.ts'
import { type BoxAnswer, startBox } from '../box.ts'
import { CREDENTIAL, NEW_CREDENTIAL, useService } from '../scripted-service.ts'
import { makeDataDir, startAgent } from '../start-agent.ts'

const service = useService()

const MINUTE_MS = 60_000

/** @param headers beside the status. */
const answerHttp =
  (httpStatus: number, body = '', headers = {}): BoxAnswer =>
  (stream) => {
    stream.respond({ ':status': httpStatus, 'content-type': 'text/html', ...headers }, { endStream: body === '' })
    if (body !== '') stream.end(body)
  }

const answerGrpc =
  (code: status, message = ''): BoxAnswer =>
  (stream) =>
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': code, 'grpc-message': message },
      { endStream: true },
    )

/** A clock whose long pauses end when the test lets them pass. */
function createClock() {
  const pauses: number[] = []
  let pass = Promise.withResolvers<void>()
  return {
    ...SYSTEM_CLOCK,
    pauses,
    async sleep(ms: number, signal: AbortSignal) {
      if (ms < MINUTE_MS) return await SYSTEM_CLOCK.sleep(ms, signal)
      pauses.push(ms)
      await Promise.race([pass.promise, SYSTEM_CLOCK.sleep(2 ** 30, signal)])
    },
    passPause() {
      pass.resolve()
      pass = Promise.withResolvers()
    },
  }
}

const PAGE = `<!doctype html><title>Sign in</title>${' '.repeat(2_000)}`
const BETWEEN = /^A server between this computer and the service at 127\.0\.0\.1:\d+ has answered with /

const ANSWERS: [string, BoxAnswer, RegExp, 'slowly'?][] = [
  ['HTTP 401', answerHttp(401), /HTTP status 401\. It requires a sign-in\. Check the proxies/],
  ['HTTP 401 with a page', answerHttp(401, PAGE), /HTTP status 401\. It requires a sign-in\. Check the proxies/],
  ['HTTP 403', answerHttp(403), /HTTP status 403\. It forbids the connection\./],
  ['HTTP 407', answerHttp(407), /HTTP status 407\. It requires a password\./],
  ['HTTP 429', answerHttp(429), /HTTP status 429\. It limits the number of requests\./],
  ['HTTP 502', answerHttp(502, PAGE), /HTTP status 502\. It does not reach the service\./],
  ['HTTP 302', answerHttp(302, '', { location: '/login' }), /HTTP status 302\. It redirects, as sign-in pages/],
  ['a page', answerHttp(200, PAGE), /a web page instead of a stream, as sign-in pages/],
  ['a short page', answerHttp(200, 'Sign in'), /a web page instead of a stream, as sign-in pages/],
  ['an empty page', answerHttp(200), /a web page instead of a stream, as sign-in pages/],
  ['gRPC PERMISSION_DENIED', answerGrpc(status.PERMISSION_DENIED, 'RBAC: access denied'), /RBAC: access denied/],
  [
    'gRPC UNAUTHENTICATED without the trailer',
    answerGrpc(status.UNAUTHENTICATED, 'Jwt is missing'),
    /^A server at \S+ does not accept the credential of this computer: Jwt is missing\. It is a service of an earlier version, or a gateway .* The agent tries again every 15 minutes\.$/,
    'slowly',
  ],
  ['a reset connection', 'reset', /./],
]

test.each(ANSWERS)(
  'an agent that gets %s connects by itself later, at its start and while it is connected',
  async (name, answer, cause, isSlow) => {
    proves('agent.reconnect.answers', 'agent.refused.slowly')
    const [box, dataDir, clock] = [await startBox(service.url, answer), makeDataDir(), createClock()]
    const agent = startAgent(box, { dataDir, clock, statusAddress: getStatusAddress(dataDir) })
    for (const when of ['at its start', 'while it is connected']) {
      if (when !== 'at its start') box.set(answer)
      await waitFor(() => expect(box.answered).toBeGreaterThan(isSlow ? 0 : 2))
      const reason = await waitFor(async () => {
        const { state, reason = '' } = (await askStatus(dataDir))?.connection ?? {}
        expect(state).toBe('disconnected')
        expect(reason).toMatch(cause)
        return reason
      })
      if (/^(HTTP|an? .*page)/.test(name)) expect(reason).toMatch(BETWEEN)
      expect(agent.readLog()).toContain(JSON.stringify(reason))
      const [finding] = await examineStream({ agentUrl: box.url, credential: CREDENTIAL, spooler: 'virtual' })
      expect(finding).toMatchObject({ isOk: false, result: expect.stringMatching(/\S/) })
      expect(reason).toContain(finding?.result)
      await waitFor(() => expect(clock.pauses).toHaveLength(isSlow ? 1 : 0))
      for (const ms of clock.pauses) expect(Math.abs(ms - 15 * MINUTE_MS)).toBeLessThanOrEqual(3 * MINUTE_MS)
      box.set(undefined)
      clock.passPause()
      await waitFor(async () => expect((await askStatus(dataDir))?.connection.state).toBe('connected'))
      box.answered = 0
      clock.pauses.length = 0
    }
  },
)

test('an agent whose credential the service refuses tries again every 15 minutes, and prints when the service accepts it', async () => {
  proves('agent.refused.slowly')
  const [dataDir, clock] = [makeDataDir(), createClock()]
  service.accepted = [NEW_CREDENTIAL]
  const agent = startAgent(service, { dataDir, clock, statusAddress: getStatusAddress(dataDir) })
  const refused =
    /^The service at 127\.0\.0\.1:\d+ does not accept the credential .* The agent tries again every 15 minutes\.$/
  await waitFor(() => expect(clock.pauses).toHaveLength(1))
  expect((await askStatus(dataDir))?.connection.reason).toMatch(refused)
  clock.passPause()
  await waitFor(() => expect(clock.pauses).toHaveLength(2))
  service.accepted = [CREDENTIAL]
  clock.passPause()
  await waitFor(() => expect(agent.readLog()).toContain('"connected"'))
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release')).toMatchObject([{ token: jobId }]))
})
