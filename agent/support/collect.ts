/**
 * Collects diagnostics as text files. Contains no credentials, titles, paths, job options or documents: fields are
 * selected explicitly, and all text passes `redact` and `hidePaths`.
 */
import { arch, cpus, hostname, release, totalmem, version } from 'node:os'
import { join, resolve } from 'node:path'
import { getConfigPath, readConfig, readSpoolerConfig } from '../config.ts'
import { examine } from '../doctor/examine.ts'
import { formatFinding } from '../doctor/finding.ts'
import { summarizeFile } from '../journal/summary.ts'
import { readLastLines } from '../log-file.ts'
import manifest from '../package.json' with { type: 'json' }
import { hidePaths } from '../spoolers/hide-paths.ts'
import { listPrinters } from '../spoolers/open-spooler.ts'
import { askStatus } from '../status/ask-status.ts'
import { getProxyName } from '../transport/proxy.ts'
import { withTimeout } from '../with-timeout.ts'
import { redact } from './redact.ts'

const LOG_LINES_MAX = 5_000

/**
 * @returns the contents by file name. If a part fails or takes longer than the timeout, its file contains the reason.
 */
export async function collect(dataDir: string, now: Date, timeoutMs = 60_000): Promise<Record<string, string>> {
  const dir = resolve(dataDir)
  const hideDir = (text: string) => text.replaceAll(`file://${dir}`, dir).replaceAll(dir, 'the data directory')
  const clean = (text: string) => redact(hidePaths(hideDir(text)))
  // Paths are replaced in the values, because those in JSON have doubled backslashes.
  const toJson = (content: unknown, indent = 0) =>
    redact(JSON.stringify(content, (_, value) => (typeof value === 'string' ? clean(value) : value), indent))

  const status = await attempt(() => askStatus(dataDir))
  const list = async () => await listPrinters(await readSpoolerConfig(dataDir), dataDir)
  const [printers, doctor] = await Promise.all([
    attempt(() => withTimeout(timeoutMs, list(), 'the spooler does not respond')),
    runDoctor(dataDir, timeoutMs),
  ])
  const contents: Record<string, unknown> = {
    'about.json': describeComputer(now),
    'config.json': await attempt(() => readPublicConfig(dataDir)),
    'status.json': status ?? 'The agent is not running.',
    'journal.json': await attempt(() => status?.journal ?? summarizeFile(join(dataDir, 'journal.sqlite'))),
    'printers.json': printers,
    'doctor.txt': doctor,
    'log.jsonl': await attempt(() =>
      readLastLines(dataDir, LOG_LINES_MAX)
        .map((line) => toJson(parse(line)))
        .join('\n'),
    ),
  }
  return Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [
      name,
      `${typeof content === 'string' ? clean(content) : toJson(content ?? null, 2)}\n`,
    ]),
  )
}

/** @returns the line itself if a crash has cut it. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}

function describeComputer(now: Date) {
  return {
    collectedAt: now.toISOString(),
    agentVersion: manifest.version,
    nodeVersion: process.version,
    platform: process.platform,
    release: release(),
    version: version(),
    arch: arch(),
    hostname: hostname(),
    processors: cpus().length,
    memoryMb: Math.round(totalmem() / 1024 / 1024),
  }
}

/** The findings that there are at the timeout. */
async function runDoctor(dataDir: string, timeoutMs: number): Promise<string> {
  const lines: string[] = []
  const run = async () => {
    for await (const finding of examine(dataDir)) lines.push(formatFinding(finding))
  }
  await withTimeout(timeoutMs, run(), `The other checks took longer than ${timeoutMs / 1000} s.`).catch(
    (error: Error) => void lines.push(error.message),
  )
  return lines.join('\n')
}

async function readPublicConfig(dataDir: string) {
  const { credential: _, proxy, caFile, ...shown } = await readConfig(getConfigPath(dataDir))
  return {
    ...shown,
    hasCaFile: caFile !== undefined,
    proxy: proxy === undefined || proxy === 'none' ? proxy : getProxyName(new URL(proxy)),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: any value becomes JSON
async function attempt(get: () => any): Promise<any> {
  try {
    return await get()
  } catch (error) {
    return `Not available: ${error instanceof Error ? error.message : String(error)}`
  }
}
