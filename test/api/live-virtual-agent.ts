/** The shipped agent as the program that it is, on a live computer with virtual printers. Ends with the test. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePrivateJson } from '@platen/deploy/private-file.ts'
import { startProcess } from '@platen/deploy/start-process.ts'
import { onTestFinished } from 'vitest'
import type { AgentConfig } from '../../agent/config.ts'
import { installation } from './installation.ts'

/** @returns once it is connected. */
export async function startLiveVirtualAgent(credential: string, config: Partial<AgentConfig> = {}): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-agent-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const { agentUrl } = installation.credentials
  writePrivateJson(join(dataDir, 'agent.json'), { agentUrl, credential, spooler: 'virtual', ...config })
  const agent = await startProcess({
    name: 'agent',
    script: 'agent/main.ts',
    args: ['run', '--data-dir', dataDir],
    logFile: join(dataDir, 'output.log'),
  })
  onTestFinished(() => agent.stop())
}
