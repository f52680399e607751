/** An agent in the process of the test, with short intervals. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { waitFor } from '../../test/harness/wait-for.ts'
import type { Timings } from '../agent.ts'
import type { AgentConfig } from '../config.ts'
import type { Clock } from '../expiry.ts'
import { runAgent } from '../run.ts'
import { openSpooler } from '../spoolers/open-spooler.ts'
import type { Spooler } from '../spoolers/spooler.ts'
import { type Call, readCalls } from '../spoolers/virtual/call-log.ts'
import { createVirtualSpooler } from '../spoolers/virtual/virtual-spooler.ts'
import { CREDENTIAL, type ScriptedService } from './scripted-service.ts'

export const QUICK: Timings = {
  // Longer than any delay of this process.
  resendMs: 30_000,
  welcomeTimeoutMs: 30_000,
  backoff: { baseMs: 10, maxMs: 40 },
  printersIntervalMs: 20,
  beginningMs: 50,
  updateSpreadMs: 0,
}

/** Creates a data directory, which is removed at the end of the test. */
export function makeDataDir(parent = tmpdir()): string {
  const dir = mkdtempSync(join(parent, 'platen-agent-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export const createQuickSpooler = (dataDir: string) =>
  createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs: 40, testMode: true })

/** A virtual spooler that needs an hour per job. */
export const createSlowSpooler = (dataDir: string) =>
  createVirtualSpooler({ dir: join(dataDir, 'virtual'), printMs: 3_600_000 })

/** The calls of the virtual spooler. */
export const readSpoolerCalls = (dataDir: string, call: Call['call']) =>
  readCalls(join(dataDir, 'virtual', 'handovers.jsonl')).filter((line) => line.call === call)

export function startAgent(
  { url }: { url: string },
  options: {
    dataDir?: string
    spooler?: Spooler
    credential?: string
    caFile?: string
    proxy?: string
    raw?: AgentConfig['raw']
    /** If it is present, also as undefined, the agent has network printers and accepts commands. */
    allowedNetworks?: AgentConfig['allowedNetworks']
    /** Its printers instead of virtual ones, for an agent with network printers. */
    hasSystemSpooler?: boolean
    printers?: AgentConfig['printers']
    rasterize?: AgentConfig['rasterize']
    timings?: Partial<Timings>
    clock?: Clock
    documentsMaxBytes?: number
    getReceiptDelayMs?: (title: string) => number
    statusAddress?: string
  } = {},
) {
  const { dataDir = makeDataDir(), credential = CREDENTIAL, caFile, proxy, raw, allowedNetworks, timings } = options
  let log = ''
  const abort = new AbortController()
  const { printers, rasterize } = options
  const route = { agentUrl: url, credential, caFile, proxy }
  const kind = options.hasSystemSpooler ? 'system' : 'virtual'
  const config: AgentConfig = { ...route, spooler: kind, raw, allowedNetworks, printers, rasterize }
  const logger = pino(
    { level: process.env.PLATEN_LOG_LEVEL || 'info' },
    {
      write(line) {
        log += line
        if (process.env.PLATEN_LOG_LEVEL) process.stdout.write(line)
      },
    },
  )
  const end = runAgent({
    dataDir,
    config,
    ...(!('allowedNetworks' in options)
      ? { spooler: options.spooler ?? createQuickSpooler(dataDir) }
      : openSpooler(config, dataDir, logger)),
    log: logger,
    signal: abort.signal,
    timings: { ...QUICK, ...timings },
    clock: options.clock,
    documentsMaxBytes: options.documentsMaxBytes,
    getReceiptDelayMs: options.getReceiptDelayMs,
    statusAddress: options.statusAddress,
  })
  const stop = async () => {
    abort.abort()
    return await end
  }
  onTestFinished(async () => void (await stop().catch(() => undefined)))
  return { dataDir, end, stop, readLog: () => log, calls: (call: Call['call']) => readSpoolerCalls(dataDir, call) }
}

/** Starts an agent and waits for its hello. */
export async function connectAgent(service: ScriptedService, options?: Parameters<typeof startAgent>[1]) {
  const hellos = service.getMessages('hello').length
  const agent = startAgent(service, options)
  await waitFor(() => expect(service.getMessages('hello').length).toBeGreaterThan(hellos))
  return agent
}
