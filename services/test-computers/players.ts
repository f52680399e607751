/**
 * The agents that play test computers, one for each organization: the agent of people's computers with the virtual spooler, and a
 * directory of its own. They know nothing of each other. Called by `service.ts` for as long as it has the lease.
 */
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import type { Client } from '@connectrpc/connect'
import { runAgent } from '@platen/agent/run.ts'
import { createVirtualSpooler } from '@platen/agent/spoolers/virtual/virtual-spooler.ts'
import type { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { Logger } from '@platen/runtime/log.ts'
import { atMost } from '@platen/runtime/timers.ts'
import pLimit from 'p-limit'

/** After a restart all of them say hello; devices has a few connections to its database for that. */
const CONNECT_AT_ONCE = 8

/** One that takes longer goes on trying beside the others, so that some that cannot connect keep nobody waiting for ever. */
const CONNECT_WITHIN_MS = 5_000

export interface PlayersOptions {
  holderId: string
  devices: Pick<Client<typeof DevicesService>, 'enrollTestComputer'>
  agentUrl: string
  /** Each computer has the directory of its id in here. */
  directory: string
  log: Logger
  /** From release to completion; see the virtual spooler. */
  printMs?: number
}

export interface Players {
  /** @returns once the organization's test computer is online, or its agent has ended: the next lease tells of it again. */
  play(organizationId: string): Promise<void>
  /** Ends all agents; jobs rest as their journals say. */
  stop(): Promise<void>
}

interface Player {
  settled: Promise<void>
  ended: Promise<void>
}

export function createPlayers({ holderId, devices, agentUrl, directory, log, printMs }: PlayersOptions): Players {
  const players = new Map<string, Player>()
  const inSlot = pLimit(CONNECT_AT_ONCE)
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  async function run(organizationId: string, onWelcome: () => void): Promise<void> {
    const { computerId, credential } = await devices.enrollTestComputer({ organizationId, holderId })
    const dataDir = join(directory, computerId)
    await runAgent({
      dataDir,
      config: { agentUrl, credential, spooler: 'virtual' },
      spooler: createVirtualSpooler({ dir: join(dataDir, 'virtual'), testMode: true, printMs }),
      log: log.child({ computer_id: computerId, organization_id: organizationId }),
      signal: stopping.signal,
      onWelcome,
    })
  }

  function start(organizationId: string): Player {
    const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const runToItsEnd = async () => {
      if (!stopping.signal.aborted) await run(organizationId, settle)
    }
    void inSlot(async () => {
      runToItsEnd()
        .catch((error: unknown) =>
          log.warn({ err: error, organization_id: organizationId }, 'a test computer is missing'),
        )
        .finally(() => {
          players.delete(organizationId)
          settle()
          end()
        })
      await atMost(CONNECT_WITHIN_MS, settled)
    })
    return { settled, ended }
  }

  return {
    async play(organizationId) {
      const player = players.get(organizationId) ?? start(organizationId)
      players.set(organizationId, player)
      await player.settled
    },

    async stop() {
      stopping.abort()
      await Promise.all([...players.values()].map(({ ended }) => ended))
    },
  }
}
