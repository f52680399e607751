/**
 * Plays the virtual test computers of all organizations. Composes the process; `services/main.ts` runs it. One at a time has the lease to do so; a
 * second one stands by. What keeps two apart in the end are the computers' credentials and epochs, as with any agent.
 */
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { TEST_COMPUTER_SUBJECT } from '@platen/proto/subjects.ts'
import { connectNats } from '@platen/runtime/messaging/nats.ts'
import type { ServiceProcess } from '@platen/runtime/process.ts'
import { connectRpc } from '@platen/runtime/rpc/client.ts'
import { atMost, startTimer } from '@platen/runtime/timers.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Config } from './config.ts'
import { createPlayers, type Players } from './players.ts'

const RENEW_EVERY_MS = 2_000

/** Whoever starts everything may use test mode at once; with very many organizations some come a little later. */
const READY_WITHIN_MS = 5_000

/** What the process has while it plays. */
interface Stage {
  players: Players
  wishes: { unsubscribe(): void }
}

/** Comes back when this process has asked for the lease once, and the computers are online if it got it. */
export async function startTestComputers(service: ServiceProcess, config: Config): Promise<void> {
  const { log } = service
  const { connection } = await connectNats(service, config.natsUrl)
  const devices = connectRpc(service, DevicesService, { url: config.devicesUrl, secret: config.rpcSecret })
  const holderId = uuidv7()
  let stage: Stage | undefined

  function enter(): Stage {
    log.info('playing the test computers')
    const players = createPlayers({ ...config, holderId, devices, log })
    const wishes = connection.subscribe(TEST_COMPUTER_SUBJECT, {
      callback: (_error, message) =>
        void players.play(message.string()).then(() => void (connection.isClosed() || message.respond())),
    })
    return { players, wishes }
  }

  async function leave(): Promise<void> {
    stage?.wishes.unsubscribe()
    await stage?.players.stop()
    stage = undefined
  }

  async function renew(): Promise<Promise<void>[]> {
    const { held, organizationIds } = await devices.leaseTestComputers({ holderId, all: stage === undefined })
    if (!held) {
      if (stage) log.warn('another process plays the test computers by now')
      await leave()
      return []
    }
    stage ??= enter()
    const { players } = stage
    return organizationIds.map((organizationId) => players.play(organizationId))
  }

  service.onStop('test computers', async () => {
    const had = stage !== undefined
    await leave()
    if (had) await devices.releaseTestComputers({ holderId })
  })
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>()
  startTimer(service, 'lease', RENEW_EVERY_MS, async () => {
    const playing = await renew()
    void atMost(READY_WITHIN_MS, Promise.all(playing)).then(() => setReady())
  })
  await ready
}
