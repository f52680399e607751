/** What a server between the agent and the service answers: the agent always comes back by itself. */
import { constants } from 'node:http2'
import { status } from '@grpc/grpc-js'
import { makePdf } from '@platen/test/harness/pdf.ts'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { waitFor } from '../../../test/harness/wait-for.ts'
import { TIMINGS } from '../../agent.ts'
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

/**
 * A clock whose pauses pass at once until they are `seconds` together. Then they, and longer ones, wait for
 * `passPause`.
 */
function createClock(seconds = 0) {
  const clock = { pauses: [] as number[], pausedMs: 0 }
  let pass = Promise.withResolvers<void>()
  return Object.assign(clock, {
    nowMs: SYSTEM_CLOCK.nowMs,
    uptimeMs: SYSTEM_CLOCK.uptimeMs,
    bootId: SYSTEM_CLOCK.bootId,
    async sleep(ms: number, signal: AbortSignal) {
      clock.pauses.push(ms)
      clock.pausedMs += ms
      if (clock.pausedMs < seconds * 1_000) return
      await Promise.race([pass.promise, SYSTEM_CLOCK.sleep(2 ** 30, signal)])
    },
    /** Ends the pauses of all waiting calls, and counts from here on. */
    passPause() {
      Object.assign(clock, { pauses: [], pausedMs: 0 })
      pass.resolve()
      pass = Promise.withResolvers()
    },
  })
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
  ['gRPC UNAVAILABLE without a text', answerGrpc(status.UNAVAILABLE), /^The stream to \S+ failed: UNAVAILABLE\.$/],
  ['a refused stream', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM), /accepts no stream, for example/],
  ['a reset stream', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR), /has reset the stream\.$/],
  ['a reset connection', 'reset', /reset the connection\. Check|was lost\.$|does not speak HTTP\/2/],
]

/** The agent has the pauses of the program, which the clock of the test shortens. */
async function startBehindBox(answer: BoxAnswer, seconds: number) {
  const [box, dataDir, clock] = [await startBox(service.url, answer), makeDataDir(), createClock(seconds)]
  const timings = { backoff: TIMINGS.backoff }
  const agent = startAgent(box, { dataDir, clock, timings, statusAddress: getStatusAddress(dataDir) })
  const getConnection = async () => (await askStatus(dataDir))?.connection
  return {
    box,
    clock,
    agent,
    disconnects: (cause: RegExp) =>
      waitFor(async () => {
        const { state, reason = '' } = (await getConnection()) ?? {}
        expect(state).toBe('disconnected')
        expect(reason).toMatch(cause)
        return reason
      }),
    connects: () => waitFor(async () => expect((await getConnection())?.state).toBe('connected')),
  }
}

describe.each([5, 300])('an agent that for %i s', (seconds) => {
  test.each(ANSWERS)(
    'gets %s connects by itself: at its start, while it is connected, and in a download, whose job prints once',
    async (name, answer, cause, isSlow) => {
      proves('agent.reconnect.answers', 'agent.refused.slowly')
      const { box, clock, agent, disconnects, connects } = await startBehindBox(answer, seconds)
      let jobId = ''
      for (const moment of ['at its start', 'while it is connected', 'in a download']) {
        if (moment === 'in a download') {
          service.downloadsToHold = service.downloads + 1
          jobId = service.print({}, makePdf('Invoice', 100_000)).jobId
          await waitFor(() => expect(service.downloads).toBe(service.downloadsToHold))
        }
        if (moment !== 'at its start') box.set(answer)
        await waitFor(() => expect(clock.pausedMs).toBeGreaterThanOrEqual(seconds * 1_000))
        const reason = await disconnects(cause)
        expect(reason).not.toMatch(/undefined/)
        if (/^(HTTP|an? .*page)/.test(name)) expect(reason).toMatch(BETWEEN)
        await waitFor(() => expect(agent.readLog()).toContain(JSON.stringify(reason)))
        if (moment === 'in a download')
          await waitFor(() =>
            expect(agent.readLog()).toMatch(/"reason":"The connection to \S+ was lost\.".*"document download failed/),
          )
        const longest = Math.max(...clock.pauses)
        if (isSlow) expect(Math.abs(longest - 15 * MINUTE_MS)).toBeLessThanOrEqual(3 * MINUTE_MS)
        else expect(longest).toBeLessThanOrEqual(MINUTE_MS)
        const [finding] = await examineStream({ agentUrl: box.url, credential: CREDENTIAL, spooler: 'virtual' })
        expect(finding).toMatchObject({ isOk: false, result: expect.stringMatching(/\S/) })
        if (answer !== 'reset') expect(reason).toContain(finding?.result)
        box.set(undefined)
        clock.passPause()
        await connects()
      }
      await waitFor(() => expect(agent.calls('release')).toMatchObject([{ token: jobId }]))
    },
  )
})

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
  await waitFor(() => expect(clock.pauses).toHaveLength(1))
  service.accepted = [CREDENTIAL]
  clock.passPause()
  await waitFor(() => expect(agent.readLog()).toContain('"connected"'))
  const { jobId } = service.print()
  await waitFor(() => expect(agent.calls('release')).toMatchObject([{ token: jobId }]))
})
