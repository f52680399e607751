/** `platen-agent enroll`: exchanges a token for the credential of this computer and writes `agent.json`. */
import { readFile } from 'node:fs/promises'
import { arch, hostname, release } from 'node:os'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pauseMs } from '../backoff.ts'
import {
  type AgentConfig,
  getConfigPath,
  isCredential,
  isOrigin,
  isSpooler,
  NotEnrolled,
  readConfig,
  writeConfig,
} from '../config.ts'
import { decodeText } from '../decode-text.ts'
import manifest from '../package.json' with { type: 'json' }
import { explain, explainHttpStatus, getCode } from '../transport/explain-error.ts'
import { isLoopback } from '../transport/proxy.ts'
import { type HttpAnswer, request } from '../transport/request.ts'
import { getTrustContext } from '../transport/trust.ts'
import { osName } from '../uplink/hello.ts'
import { deleteEnrollmentKey, openEnrollmentKey } from './enrollment-key.ts'
import type { Io } from './io.ts'
import { type Options, UsageError } from './options.ts'
import { print } from './output.ts'

const TIMEOUT_MS = 30_000

/** About one to two minutes in total. */
const RETRIES_MAX = 6
const BACKOFF = { baseMs: 1_000, maxMs: 30_000 }

/** The service repeats an enrolment for this time: docs/reference/agents.md#enrollment.repeated.60s. */
const REPEAT_SECONDS = 60

/** Other users of this computer can read a command line, but not this variable. */
const TOKEN_VARIABLE = 'PLATEN_ENROLL_TOKEN'

interface Enrolled {
  computerId: string
  credential: string
  agentUrl: string
}

/** The service has refused the token or the request. The message is its own. */
class EnrollmentRefused extends Error {
  override name = 'EnrollmentRefused'
}

/** The token may have been used. */
class EnrollmentUnfinished extends Error {
  override name = 'EnrollmentUnfinished'

  constructor(message: string, cause?: unknown) {
    super(`${message} If the token was used, the same command works again with it for ${REPEAT_SECONDS} s.`, { cause })
  }
}

/**
 * Everything that can fail locally is checked before the token is used.
 *
 * @throws UsageError, ConfigError, or an Error with a message for the user.
 */
export async function enroll({ dataDir, server, ...options }: Options, { stdin, stdout, stderr }: Io): Promise<number> {
  const { name, caFile: caPath, spooler } = options
  if (!isOrigin(server))
    throw new UsageError('--server must be the http:// or https:// address of the service, without a path.')
  if (!options.insecure) checkServerUrl(new URL(server))
  if (spooler !== undefined && !isSpooler(spooler)) throw new UsageError('--spooler must be system or virtual.')
  const token = await readToken(options, stdin)

  const previous = await readPreviousConfig(dataDir, stderr)
  const serverUrl = new URL(server).origin
  const caFile = caPath === undefined ? previous?.caFile : resolve(caPath)
  if (caFile !== undefined) getTrustContext(caFile)
  const warnings = new Set<string>()
  const warn = (sentence: string) => void warnings.add(sentence)
  const key = openEnrollmentKey(dataDir, { token, serverUrl }, warn)
  const previousCredential = previous && isIssuer(previous.serverUrl, serverUrl) ? previous.credential : undefined
  const route = { caFile, proxy: previous?.proxy }
  try {
    const enrolled = await exchangeToken(serverUrl, route, { token, key }, { name, previousCredential })
    const { computerId, agentUrl, credential } = enrolled
    afterUse(() => {
      if (!options.insecure) checkAgentUrl(new URL(agentUrl), new URL(serverUrl), options.agentHost)
      const update = options.autoUpdate ? 'automatic' : previous?.update
      const kind = spooler ?? previous?.spooler ?? 'system'
      const allowedNetworks = previous?.allowedNetworks || (options.allowNetworkPrinters ?? previous?.allowedNetworks)
      const changed = { agentUrl, credential, spooler: kind, serverUrl, caFile, update, allowedNetworks }
      writeConfig(dataDir, { ...previous, ...changed }, warn)
    })
    deleteEnrollmentKey(dataDir, warn)
    await print(`This computer is enrolled as ${computerId}. The agent connects to ${agentUrl}.`, stdout)
    return await print(previous ? 'Restart the agent if it is running.' : 'Start it with: platen-agent run', stdout)
  } catch (error) {
    if (error instanceof EnrollmentRefused) deleteEnrollmentKey(dataDir, warn)
    throw error
  } finally {
    for (const sentence of warnings) await print(sentence, stderr)
  }
}

/** @throws EnrollmentUnfinished if the work fails. */
function afterUse(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw new EnrollmentUnfinished((error as Error).message, error)
  }
}

/** @throws UsageError if other computers could read the token and what the agent sends and receives later. */
function checkServerUrl(url: URL): void {
  if (url.protocol === 'http:' && !isLoopback(url))
    throw new UsageError(
      `${url.origin} has no TLS, so others could read the token and the documents on the network. Use the https:// address of the service, or pass --insecure in a network that you trust.`,
    )
}

/** @throws UsageError if there is no valid token. */
async function readToken({ tokenFile }: Partial<Options>, stdin: NodeJS.ReadableStream): Promise<string> {
  const given = tokenFile === undefined ? process.env[TOKEN_VARIABLE] : await readTokenFile(tokenFile, stdin)
  if (!given) throw new UsageError(`The enrolment token is missing: pass --token-file, or set ${TOKEN_VARIABLE}.`)
  if (!/^[\w-]+$/.test(given)) throw new UsageError('The text is not an enrolment token: copy it again.')
  return given
}

async function readTokenFile(path: string, stdin: NodeJS.ReadableStream): Promise<string> {
  try {
    return decodeText(await (path === '-' ? buffer(stdin) : readFile(path))).trim()
  } catch (error) {
    throw new UsageError(`--token-file ${path} is not readable: ${(error as Error).message}`)
  }
}

/** The configuration of an earlier enrolment. An invalid file is replaced. */
async function readPreviousConfig(dataDir: string, stderr: NodeJS.WritableStream): Promise<AgentConfig | undefined> {
  try {
    return await readConfig(getConfigPath(dataDir))
  } catch (error) {
    if (!(error instanceof NotEnrolled)) await print(`${(error as Error).message} It is replaced.`, stderr)
    return undefined
  }
}

/**
 * The previous credential identifies the computer. It is sent only to the service that issued it, and without TLS only
 * if it was issued without TLS.
 */
function isIssuer(previous: string | undefined, current: string): boolean {
  if (previous === undefined) return false
  const [issuer, server] = [new URL(previous), new URL(current)]
  return issuer.hostname === server.hostname && (server.protocol === 'https:' || issuer.protocol === 'http:')
}

/**
 * The agent sends its credential and receives documents at this address, so it must be as trustworthy as the server.
 *
 * @param agentHost the host that the user named, which must have TLS.
 * @throws Error with a message for the user.
 */
function checkAgentUrl(agentUrl: URL, serverUrl: URL, agentHost: string | undefined): void {
  const repair = 'Correct PLATEN_AGENT_PUBLIC_URL of the service, or'
  if (agentUrl.protocol === 'http:' && (serverUrl.protocol === 'https:' || agentHost !== undefined))
    throw new Error(
      `The agent would connect to ${agentUrl.origin} without TLS. ${repair} pass --insecure in a network that you trust.`,
    )
  if (agentUrl.hostname !== serverUrl.hostname && agentUrl.hostname !== agentHost)
    throw new Error(
      `The agent would connect to ${agentUrl.hostname}, another host than ${serverUrl.hostname}. ${repair} pass --agent-host ${agentUrl.hostname} if it belongs to the service, which requires TLS.`,
    )
}

async function exchangeToken(
  serverUrl: string,
  route: { caFile?: string; proxy?: string },
  { token, key }: { token: string; key: string },
  facts: { name?: string; previousCredential?: string },
): Promise<Enrolled> {
  const computer = { hostname: hostname(), os: osName(), osVersion: release(), arch: arch() }
  const body = JSON.stringify({ ...facts, ...computer, agentVersion: manifest.version })
  const headers = {
    authorization: `Bearer ${token}`,
    'idempotency-key': key,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
  const url = new URL('/v1/agents/enroll', serverUrl)
  const answer = await requestWithRetries(url, () =>
    request(url, route, { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS }),
  )
  const { computerId, credential, agentUrl, error } = parse(answer, url)
  if (answer.status !== 201 && typeof error?.message === 'string')
    throw answer.status < 500 ? new EnrollmentRefused(error.message) : new Error(error.message)
  if (answer.status !== 201 || typeof computerId !== 'string' || !isCredential(credential) || !isOrigin(agentUrl))
    throw toWrongServer(url, answer.status)
  return { computerId, credential, agentUrl }
}

/**
 * Repeats requests that were rate limited (429), for example when many computers enrol with one token at once, and once
 * a request whose connection broke.
 */
async function requestWithRetries(url: URL, send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  let hasBroken = false
  for (let refusals = 0; ; ) {
    try {
      const answer = await send()
      if (answer.status !== 429 || refusals === RETRIES_MAX) return answer
      await sleep(Number(answer.headers['retry-after'] ?? 1) * 1000 + pauseMs(refusals++, BACKOFF))
    } catch (error) {
      const isBroken = BROKEN.includes(getCode(error))
      const message = explain(error, url.host)
      if (isBroken && !hasBroken) hasBroken = true
      else
        throw isBroken || isTimeout(error)
          ? new EnrollmentUnfinished(message, error)
          : new Error(message, { cause: error })
    }
  }
}

/** The request may have arrived. */
const BROKEN = ['ECONNRESET', 'EPIPE']

const isTimeout = (error: unknown) => error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)

function parse({ body, status }: HttpAnswer, url: URL) {
  try {
    const json: unknown = JSON.parse(body)
    if (typeof json === 'object' && json !== null)
      return json as Record<string, unknown> & { error?: { message?: unknown } }
  } catch {
    // Reported below.
  }
  throw toWrongServer(url, status)
}

/** Something between can have replaced the response of the service. */
function toWrongServer(url: URL, status: number): Error {
  const message = `The server at ${url.host} is not Platen. It has answered with ${explainHttpStatus(status)}. Check --server, which must be the address of the REST API, and the proxies, firewalls and sign-in pages of the network.`
  return status === 201 || status >= 500 ? new EnrollmentUnfinished(message) : new Error(message)
}
