/** Reads `agent.json`, which enrolment writes into the data directory. */
import { readFile, stat } from 'node:fs/promises'
import { type NetworkPrinter, readNetworkPrinters } from './spoolers/network/config.ts'

export interface AgentConfig {
  /** Where the service takes agents' streams: `https://host:port`, or `http://` for a network that is trusted. */
  agentUrl: string
  /** `platen_agent_…`; never logged. */
  credential: string
  /** Which driver prints. */
  spooler: 'virtual'
  /** Printers on the network without a queue in the operating system. */
  printers?: NetworkPrinter[]
}

/** The file is at fault; the message is one sentence for the person who wrote it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** @throws ConfigError naming everything that is wrong with the file. */
export async function readConfig(path: string): Promise<AgentConfig> {
  let json: unknown
  try {
    json = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${path} cannot be read: ${reason}.`, { cause: error })
  }
  if (!isRecord(json)) throw new ConfigError(`${path} must hold a JSON object.`)
  const { agentUrl, credential, spooler, printers: listed, ...unknown } = json
  const faults = Object.keys(unknown).map((name) => `"${name}" is not known`)
  if (!isOrigin(agentUrl)) faults.push('"agentUrl" must be an http:// or https:// address without a path')
  if (!isCredential(credential)) faults.push('"credential" must be "platen_agent_…"')
  if (spooler !== 'virtual') faults.push('"spooler" must be "virtual"')
  const printers = readNetworkPrinters(listed, faults)
  if (faults.length > 0 || !isOrigin(agentUrl) || !isCredential(credential) || spooler !== 'virtual')
    throw new ConfigError(`${path} is not valid: ${faults.join('; ')}.`)
  return { agentUrl, credential, spooler, printers }
}

/** Whether others on this computer can read the credential. Always false on Windows, which keeps no such bits. */
export async function isReadableByOthers(path: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(path)).mode & 0o077) !== 0
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOrigin(value: unknown): value is string {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, pathname, search, username } = new URL(value)
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && username === ''
}

/** Also keeps out what cannot stand in a header. */
function isCredential(value: unknown): value is string {
  return typeof value === 'string' && /^platen_agent_[\w-]+$/.test(value)
}
