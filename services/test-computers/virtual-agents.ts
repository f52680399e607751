/**
 * Runs the agents of the virtual test computers, one for each organization: the agent program with the virtual spooler
 * and its own directory. The agents are independent of each other. Called by `service.ts` while it has the lease.
 */
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import type { Client } from '@connectrpc/connect'
import { runAgent } from '@platen/agent/run.ts'
import { getReceiptDelayMs } from '@platen/agent/spoolers/virtual/test-titles.ts'
import { openVirtualPrinters } from '@platen/agent/spoolers/virtual/virtual-spooler.ts'
import type { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Logger } from '@platen/runtime/log.ts'
import { withTimeout } from '@platen/runtime/timers.ts'
import pLimit from 'p-limit'
import { getSpoolerDirectory } from './limit-printed-documents.ts'
import { refuseOtherLanguages } from './refuse-other-languages.ts'

/** Concurrent hellos after a restart, because the devices service has few database connections for them. */
const CONNECTING_MAX = 8

/** After this time an agent keeps connecting in the background, so that the next one can start. */
const CONNECT_TIMEOUT_MS = 5_000

/** The bytes of the waiting documents of one computer, and of the printed ones, because all computers share a disk. */
const DOCUMENTS_BYTES = 32 * 1024 * 1024

export interface VirtualAgentsOptions {
  holderId: string
  devices: Pick<Client<typeof DevicesService>, 'enrollTestComputer'>
  agentUrl: string
  /** Contains one directory for each computer, named by its id. */
  directory: string
  log: Logger
  /** From release to completion. See the virtual spooler. */
  printMs?: number
}

export interface VirtualAgents {
  /**
   * Returns when the test computer of the organization is online, or its agent has ended. The next lease then starts it
   * again.
   */
  start(organizationId: string): Promise<void>
  /** Stops all agents. Their journals keep the state of their jobs. */
  stop(): Promise<void>
}

interface VirtualAgent {
  /** Online or ended. */
  started: Promise<void>
  ended: Promise<void>
}

export function createVirtualAgents(options: VirtualAgentsOptions): VirtualAgents {
  const { holderId, devices, agentUrl, directory, log, printMs } = options
  const agents = new Map<string, VirtualAgent>()
  const inSlot = pLimit(CONNECTING_MAX)
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  async function run(organizationId: string, onWelcome: () => void): Promise<void> {
    if (stopping.signal.aborted) return
    const { computerId, credential } = await devices.enrollTestComputer({ organizationId, holderId })
    const dataDir = join(directory, computerId)
    await runAgent({
      dataDir,
      config: { agentUrl, credential, spooler: 'virtual' },
      spooler: refuseOtherLanguages(
        openVirtualPrinters({
          dir: getSpoolerDirectory(directory, computerId),
          testMode: true,
          printMs,
          keepBytes: DOCUMENTS_BYTES,
        }),
      ),
      documentsMaxBytes: DOCUMENTS_BYTES,
      getReceiptDelayMs,
      log: log.child({ computer_id: computerId, organization_id: organizationId }),
      signal: stopping.signal,
      isContinued: true,
      onWelcome,
    })
  }

  function startAgent(organizationId: string): VirtualAgent {
    const { promise: started, resolve: setStarted } = Promise.withResolvers<void>()
    const { promise: ended, resolve: setEnded } = Promise.withResolvers<void>()
    void inSlot(async () => {
      run(organizationId, setStarted)
        .catch((error: unknown) => log.warn({ err: error, organization_id: organizationId }, 'virtual agent failed'))
        .finally(() => {
          agents.delete(organizationId)
          setStarted()
          setEnded()
        })
      await withTimeout(CONNECT_TIMEOUT_MS, started)
    })
    return { started, ended }
  }

  return {
    async start(organizationId) {
      const agent = agents.get(organizationId) ?? startAgent(organizationId)
      agents.set(organizationId, agent)
      await agent.started
    },

    async stop() {
      stopping.abort()
      await Promise.all([...agents.values()].map(({ ended }) => ended))
    },
  }
}
