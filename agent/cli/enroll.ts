/** `platen-agent enroll`: exchanges a token for the credential of this computer and writes `agent.json`. */
import { readFile } from 'node:fs/promises'
import { arch, hostname, release } from 'node:os'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pauseMs } from '../backoff.ts'
import {
  type AgentConfig,
  draftConfig,
  getConfigPath,
  isCredential,
  isOrigin,
  isSpooler,
  NotEnrolled,
  readConfig,
} from '../config.ts'
import { decodeText } from '../decode-text.ts'
import manifest from '../package.json' with { type: 'json' }
import { explain, explainHttpStatus } from '../transport/explain-error.ts'
import { isLoopback } from '../transport/proxy.ts'
import { type HttpAnswer, request } from '../transport/request.ts'
import { getTrustContext } from '../transport/trust.ts'
import { osName } from '../uplink/hello.ts'
import type { Io } from './io.ts'
import { type Options, UsageError } from './options.ts'
import { print } from './output.ts'

const TIMEOUT_MS = 30_000

/** About one to two minutes in total. */
const RETRIES_MAX = 6
const BACKOFF = { baseMs: 1_000, maxMs: 30_000 }

/** Other users of this computer can read a command line, but not this variable. */
const TOKEN_VARIABLE = 'PLATEN_ENROLL_TOKEN'

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
  const route = { caFile, proxy: previous?.proxy }
  const draft = draftConfig(dataDir)
  try {
    const previousCredential = previous && isIssuer(previous.serverUrl, serverUrl) ? previous.credential : undefined
    const enrolled = await exchangeToken(serverUrl, route, token, { name, previousCredential })
    if (!options.insecure) checkAgentUrl(new URL(enrolled.agentUrl), new URL(serverUrl), options.agentHost)
    draft.write({
      ...previous,
      agentUrl: enrolled.agentUrl,
      credential: enrolled.credential,
      spooler: spooler ?? previous?.spooler ?? 'system',
      serverUrl,
      caFile,
      update: options.autoUpdate ? 'automatic' : previous?.update,
    })
    await print(
      `This computer is enrolled as ${enrolled.computerId}. The agent connects to ${enrolled.agentUrl}.`,
      stdout,
    )
    return await print(previous ? 'Restart the agent if it is running.' : 'Start it with: platen-agent run', stdout)
  } catch (error) {
    draft.discard()
    throw error
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
 * The previous credential identifies the computer. It is sent only to the service that issued it, and without TLS only if it was issued
 * without TLS.
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
  token: string,
  facts: { name?: string; previousCredential?: string },
): Promise<{ computerId: string; credential: string; agentUrl: string }> {
  const computer = { hostname: hostname(), os: osName(), osVersion: release(), arch: arch() }
  const body = JSON.stringify({ ...facts, ...computer, agentVersion: manifest.version })
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }
  const url = new URL('/v1/agents/enroll', serverUrl)
  const answer = await requestWithRetries(url, () =>
    request(url, route, { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS }),
  )
  const { computerId, credential, agentUrl, error } = parse(answer, url)
  if (answer.status !== 201)
    throw new Error(typeof error?.message === 'string' ? error.message : describeWrongServer(url, answer.status))
  if (typeof computerId !== 'string' || !isCredential(credential) || !isOrigin(agentUrl))
    throw new Error(describeWrongServer(url, answer.status))
  return { computerId, credential, agentUrl }
}

/** Repeats requests that were rate limited (429), for example when many computers enrol with one token at once. */
async function requestWithRetries(url: URL, send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  for (let refusals = 0; ; refusals++) {
    const answer = await send().catch((error) => {
      throw new Error(explain(error, url.host), { cause: error })
    })
    if (answer.status !== 429 || refusals === RETRIES_MAX) return answer
    await sleep(Number(answer.headers['retry-after'] ?? 1) * 1000 + pauseMs(refusals, BACKOFF))
  }
}

function parse({ body, status }: HttpAnswer, url: URL) {
  try {
    const json: unknown = JSON.parse(body)
    if (typeof json === 'object' && json !== null)
      return json as Record<string, unknown> & { error?: { message?: unknown } }
  } catch {
    // Reported below.
  }
  throw new Error(describeWrongServer(url, status))
}

const describeWrongServer = (url: URL, status: number) =>
  `The server at ${url.host} is not Platen. It has answered with ${explainHttpStatus(status)}. Check --server, which must be the address of the REST API, and the proxies, firewalls and sign-in pages of the network.`
