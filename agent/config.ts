/** Reads and writes `agent.json`, which enrolment creates in the data directory. */
import { readFileSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeText } from './decode-text.ts'
import { replaceFileDurably } from './replace-file.ts'
import { type NetworkPrinter, OWNER_SCHEMES, parseNetworkPrinters } from './spoolers/network/config.ts'
import { type AllowedNetworks, isNetwork } from './spoolers/network/local-networks.ts'
import { parseRasterConfig, type RasterConfig } from './spoolers/raster/raster-printer.ts'
import { isProxy, PROXY_HINT } from './transport/proxy.ts'

export interface AgentConfig {
  /** The agent endpoint of the service: `https://host:port`, or `http://` in a trusted network. */
  agentUrl: string
  /** `platen_agent_…`; never logged. */
  credential: string
  /** The spooler of this computer, or virtual printers. */
  spooler: 'system' | 'virtual'
  /** The REST API where this computer was enrolled. */
  serverUrl?: string
  /** A PEM file with certificates to trust in addition to those of the operating system. */
  caFile?: string
  /** `http://[user:password@]host:port`, or `none`. Overrides the environment. */
  proxy?: string
  /** Printers on the network, and folders, without a queue in the operating system. */
  printers?: NetworkPrinter[]
  /** Whether raw documents are printed: on all printers (default), on none, or on those with these names. */
  raw?: boolean | string[]
  /** Raw printers for which PDFs are drawn, by name. */
  rasterize?: RasterConfig
  /** Where printers may be added from the dashboard; by default nowhere. */
  allowedNetworks?: AllowedNetworks
  /**
   * Whether the agent installs the versions that the service offers; by default the owner runs `platen-agent update`.
   */
  update?: 'automatic' | 'manual'
}

/** The configuration is invalid. The message is one sentence for the user. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** The file does not exist. */
export class NotEnrolled extends ConfigError {
  override name = 'NotEnrolled'
}

export const getConfigPath = (dataDir: string) => join(dataDir, 'agent.json')

/** @throws ConfigError with all faults of the file; NotEnrolled if the file does not exist. */
export async function readConfig(path: string): Promise<AgentConfig> {
  let text: string
  try {
    text = decodeText(await readFile(path))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      throw new NotEnrolled(
        `This computer is not enrolled: ${path} does not exist. Run \`platen-agent enroll --server URL --token-file FILE\` first, or set --data-dir.`,
        { cause: error },
      )
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${path} cannot be read: ${reason}.`, { cause: error })
  }
  const json = parseJson(text, path)
  if (!isRecord(json)) throw new ConfigError(`${path} must contain a JSON object.`)
  const {
    agentUrl,
    credential,
    spooler = 'system',
    serverUrl,
    caFile,
    proxy,
    raw,
    rasterize: raster,
    update,
    printers: list,
    allowedNetworks,
    ...unknown
  } = json
  const faults = Object.keys(unknown).map((name) => `unknown field "${name}"`)
  if (!isOrigin(agentUrl)) faults.push('"agentUrl" must be an http:// or https:// address without a path')
  if (!isCredential(credential)) faults.push('"credential" must be "platen_agent_…"')
  if (!isSpooler(spooler)) faults.push('"spooler" must be "system" or "virtual"')
  if (serverUrl !== undefined && !isOrigin(serverUrl))
    faults.push('"serverUrl" must be an http:// or https:// address without a path')
  if (caFile !== undefined && !isText(caFile)) faults.push('"caFile" must be the path of a PEM file')
  if (proxy !== undefined && !isProxy(proxy))
    faults.push(`"proxy" must be "http://host:port" or "none" (${PROXY_HINT.replace(/\.$/, '')})`)
  if (raw !== undefined && !isRaw(raw)) faults.push('"raw" must be true, false or the names of printers: ["Zebra"]')
  if (allowedNetworks !== undefined && !isAllowedNetworks(allowedNetworks))
    faults.push('"allowedNetworks" must be true, false or networks: ["10.2.0.0/16", "10.2.0.0/16:9200"]')
  if (update !== undefined && update !== 'automatic' && update !== 'manual')
    faults.push('"update" must be "automatic" or "manual"')
  const printers = parseNetworkPrinters(list, faults, OWNER_SCHEMES)
  const rasterize = parseRasterConfig(raster, faults)
  if (faults.length > 0) throw new ConfigError(`${path} is not valid: ${faults.join('; ')}.`)
  const checked = { agentUrl, credential, spooler, serverUrl, caFile, proxy, raw, rasterize, update, printers }
  return { ...checked, allowedNetworks } as AgentConfig
}

/** The message does not quote the text, which contains the credential. */
function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const position = /line \d+ column \d+/.exec(String(error))?.[0]
    throw new ConfigError(`${path} is not valid JSON${position ? `: see ${position}` : ''}.`)
  }
}

/** The part of the configuration that selects printers. A computer that is not enrolled has its own spooler. */
export type SpoolerConfig = Pick<AgentConfig, 'spooler' | 'printers' | 'raw' | 'rasterize' | 'allowedNetworks'>

/** @throws ConfigError as `readConfig`, except for a missing file. */
export async function readSpoolerConfig(dataDir: string): Promise<SpoolerConfig> {
  return await readConfig(getConfigPath(dataDir)).catch((error: unknown) => {
    if (error instanceof NotEnrolled) return { spooler: 'system' } as const
    throw error
  })
}

/** @throws as `replaceFileDurably`. */
export function writeConfig(dataDir: string, config: AgentConfig, warn?: (sentence: string) => void): void {
  replaceFileDurably(getConfigPath(dataDir), `${JSON.stringify(config, null, 2)}\n`, warn)
}

/**
 * Replaces the credential in `agent.json` and keeps its other values, also those that a user has changed since the
 * start. Does not wait, so that the agent has exactly one credential at any time. After a crash the file has the old or
 * the new one, both of which are valid.
 *
 * @throws ConfigError if the file has another credential than the previous one; as `replaceFileDurably`.
 */
export function replaceCredential(dataDir: string, previous: string, credential: string): void {
  const config = JSON.parse(decodeText(readFileSync(getConfigPath(dataDir)))) as AgentConfig
  if (config.credential !== previous) throw new ConfigError('The computer was enrolled again.')
  writeConfig(dataDir, { ...config, credential })
}

/** Whether other users can read the credential. Always false on Windows, which has no mode bits. */
export async function isReadableByOthers(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0
}

/** Whether the value is an http or https URL without path, query and credentials. */
export function isOrigin(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, pathname, search, hash, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && pathname === '/' && !search && !hash && !username && !password
}

/** It also rejects characters that are not allowed in a header. */
export function isCredential(value: unknown): value is string {
  return typeof value === 'string' && /^platen_agent_[\w-]+$/.test(value)
}

export function isSpooler(value: unknown): value is AgentConfig['spooler'] {
  return value === 'system' || value === 'virtual'
}

function isRaw(value: unknown): value is AgentConfig['raw'] {
  return typeof value === 'boolean' || (Array.isArray(value) && value.every(isText))
}

function isAllowedNetworks(value: unknown): value is AllowedNetworks {
  return typeof value === 'boolean' || (Array.isArray(value) && value.length <= 100 && value.every(isNetwork))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
