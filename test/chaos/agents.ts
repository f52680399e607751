/** The shipped agent as a process, and readers for the log, journal and record of its virtual spooler. */
import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCalls } from '@platen/agent/spoolers/virtual/call-log.ts'
import { readJournal } from '@platen/deploy/commands/inspect/agent-journal.ts'
import { writePrivateJson } from '@platen/deploy/launcher/private-file.ts'
import { startProcess } from '@platen/deploy/launcher/start-process.ts'
import type { AgentFacts, SpoolerCall } from '../checker/history.ts'
import { type Restartable, startRestartable } from '../harness/restartable.ts'

export interface AgentFiles {
  /** The name of the process. */
  name: string
  organizationId: string
  computerId: string
  /** Holds `agent.json`, the journal and the virtual spooler. */
  directory: string
  logFile: string
}

export interface AgentOptions extends AgentFiles {
  /** A part of `agent.json`. */
  config: { agentUrl: string; credential: string; spooler: 'system' | 'virtual'; [other: string]: unknown }
  env: Record<string, string>
  onEnd: (how: string) => void
  /** @returns the clone whose code the agent runs. Called at each start. Default: this one. */
  getDirectory?: () => string
}

/** @returns when the agent is connected. */
export async function startAgent(options: AgentOptions): Promise<Restartable> {
  const { name, directory, logFile, config, env, onEnd, getDirectory } = options
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  writePrivateJson(join(directory, 'agent.json'), config)
  const process = { name, script: 'agent/main.ts', args: ['run', '--data-dir', directory], logFile, env }
  return await startRestartable(
    name,
    (start) => startProcess({ ...process, directory: getDirectory?.() }, start),
    onEnd,
  )
}

export async function readAgent({ directory, logFile, ...agent }: AgentFiles): Promise<AgentFacts> {
  const rows = await readJournal(directory, (journal) =>
    journal.prepare('SELECT id FROM job WHERE settled_at IS NULL ORDER BY sequence').all(),
  )
  const unsettledJobIds = (rows ?? []).map(({ id }) => String(id))
  return { ...agent, unsettledJobIds, welcomedAtMs: await readWelcomes(logFile, agent.computerId) }
}

/** From the log. Other services may write to the same file, and a kill may truncate a line. */
async function readWelcomes(logFile: string, computerId: string): Promise<number[]> {
  if (!existsSync(logFile)) return []
  const lines = (await readFile(logFile, 'utf8')).split('\n')
  const welcomes = lines.filter((line) => line.includes('"heartbeat_ms"') && line.includes(computerId))
  // A number in the log of an agent, a text in the log of a service.
  const times = welcomes.flatMap((line) => /"time":(\d+|"[^"]+")/.exec(line)?.[1] ?? [])
  return times.map((time) => new Date(JSON.parse(time)).getTime())
}

/** From the record of the virtual spooler, which also contains what it refused. */
export async function readSpoolerCalls({ computerId, directory }: AgentFiles): Promise<SpoolerCall[]> {
  const calls: SpoolerCall[] = []
  for (const { call, token, spoolerJobId, sha256, at } of readCalls(join(directory, 'virtual/handovers.jsonl'))) {
    const job = JSON.parse(await readFile(join(directory, 'virtual/jobs', `${spoolerJobId}.json`), 'utf8'))
    calls.push({ call, computerId, token, spoolerJobId, sha256, qty: job.qty, atMs: Date.parse(at) })
  }
  return calls
}
