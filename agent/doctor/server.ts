import type { AgentConfig } from '../config.ts'
import { explain, explainHttpStatus } from '../transport/explain-error.ts'
import { request } from '../transport/request.ts'
import { type Finding, ok, problem } from './finding.ts'

const TIMEOUT_MS = 10_000

/** Certificate validation and the comparison of logs need a correct clock. */
const CLOCK_OFFSET_MAX_MS = 60_000

/** @param now for tests. */
export async function examineServer(config: AgentConfig, now = Date.now): Promise<Finding[]> {
  if (config.serverUrl === undefined)
    return [ok('server', 'agent.json has no "serverUrl", so the REST API is not checked. Printing does not need it.')]
  const url = new URL('/healthz', config.serverUrl)
  let answer: Awaited<ReturnType<typeof request>>
  const sentAtMs = now()
  try {
    answer = await request(url, config, { method: 'GET', timeoutMs: TIMEOUT_MS })
  } catch (error) {
    return [problem('server', explain(error, url.host))]
  }
  const server =
    answer.status === 200
      ? ok('server', `The service responds at ${url.host}.`)
      : problem(
          'server',
          `The server at ${url.host} is not Platen or is unhealthy. It has answered with ${explainHttpStatus(answer.status)}.`,
        )
  const date = Date.parse(String(answer.headers.date))
  return Number.isNaN(date) ? [server] : [server, examineClock(date, sentAtMs, now())]
}

/** The `Date` header has a resolution of 1 s and a value between request and response. */
function examineClock(serverMs: number, sentAtMs: number, receivedAtMs: number): Finding {
  const offsetMs = serverMs > receivedAtMs ? serverMs - receivedAtMs : Math.max(0, sentAtMs - serverMs - 1_000)
  const seconds = Math.round(offsetMs / 1000)
  if (offsetMs <= CLOCK_OFFSET_MAX_MS)
    return ok('clock', `The clock matches that of the service (${seconds} s difference).`)
  const direction = serverMs > receivedAtMs ? 'behind' : 'ahead of'
  return problem(
    'clock',
    `The clock is ${seconds} s ${direction} the clock of the service. Enable time synchronization (NTP).`,
  )
}
