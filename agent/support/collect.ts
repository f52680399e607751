/**
 * Collects diagnostics as text files. Contains no credentials, titles, job options or documents: fields are selected explicitly, and
 * all text passes `redact`.
 */
import { arch, cpus, hostname, release, totalmem, version } from 'node:os'
import { join } from 'node:path'
import { getConfigPath, readConfig, readSpoolerConfig } from '../config.ts'
import { examine } from '../doctor/examine.ts'
import { formatFinding } from '../doctor/finding.ts'
import { summarizeFile } from '../journal/summary.ts'
import { readLastLines } from '../log-file.ts'
import manifest from '../package.json' with { type: 'json' }
import { listPrinters } from '../spoolers/open-spooler.ts'
import { askStatus } from '../status/ask-status.ts'
import { getProxyName } from '../transport/proxy.ts'
import { redact } from './redact.ts'

const LOG_LINES_MAX = 5_000

/** @returns the contents by file name. If a part fails, its file contains the reason. */
export async function collect(dataDir: string, now: Date): Promise<Record<string, string>> {
  const status = await attempt(() => askStatus(dataDir))
  const contents: Record<string, unknown> = {
    'about.json': describeComputer(dataDir, now),
    'config.json': await attempt(() => readPublicConfig(dataDir)),
    'status.json': status ?? 'The agent is not running.',
    'journal.json': await attempt(() => status?.journal ?? summarizeFile(join(dataDir, 'journal.sqlite'))),
    'printers.json': await attempt(async () => await listPrinters(await readSpoolerConfig(dataDir), dataDir)),
    'doctor.txt': await runDoctor(dataDir),
    'log.jsonl': await attempt(() => readLastLines(dataDir, LOG_LINES_MAX).join('\n')),
  }
  return Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [
      name,
      `${redact(typeof content === 'string' ? content : JSON.stringify(content ?? null, null, 2))}\n`,
    ]),
  )
}

function describeComputer(dataDir: string, now: Date) {
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
    dataDir,
  }
}

async function runDoctor(dataDir: string): Promise<string> {
  const lines: string[] = []
  for await (const finding of examine(dataDir)) lines.push(formatFinding(finding))
  return lines.join('\n')
}

async function readPublicConfig(dataDir: string) {
  const { credential: _, proxy, ...shown } = await readConfig(getConfigPath(dataDir))
  return { ...shown, proxy: proxy === undefined || proxy === 'none' ? proxy : getProxyName(new URL(proxy)) }
}

// biome-ignore lint/suspicious/noExplicitAny: any value becomes JSON
async function attempt(get: () => any): Promise<any> {
  try {
    return await get()
  } catch (error) {
    return `Not available: ${error instanceof Error ? error.message : String(error)}`
  }
}
