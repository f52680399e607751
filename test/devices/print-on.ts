/** The spooler of network printers with one device, and the outcome of its jobs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { createNetworkSpooler } from '../../agent/spoolers/network/network-spooler.ts'
import { createRawDevice } from '../../agent/spoolers/network/raw-device.ts'
import type { SpoolerState, Submission } from '../../agent/spoolers/spooler.ts'
import type { WordTimings } from '../../agent/spoolers/words/word.ts'
import { makeDataDir } from '../../agent/tests/start-agent.ts'
import { makeSubmission } from '../../agent/tests/submission.ts'
import type { Device } from './device.ts'
import { type EpsonTraits, startEpson } from './epson.ts'
import { startZebra, type ZebraTraits } from './zebra.ts'

/** A tenth of the real times: sheets of the devices are as short. */
export const FAST: Partial<WordTimings> & Record<string, unknown> = {
  answerMs: 250,
  everyMs: [10, 25, 50],
  idleMs: 300,
  fenceMs: 10_000,
  answeredEofMs: 100,
  eofTimeoutMs: 600,
  stalledAfterMs: 300,
  connectTimeoutMs: 500,
  onlineMs: 50,
  offlineMs: 50,
}

/** Until the end of the test. */
export async function useZebra(traits: ZebraTraits): Promise<Device> {
  return use(await startZebra(traits))
}

/** Until the end of the test. */
export async function useEpson(traits: EpsonTraits): Promise<Device> {
  return use(await startEpson(traits))
}

function use(device: Device): Device {
  onTestFinished(device.stop)
  return device
}

export function openDeviceSpooler(device: Pick<Device, 'uri'>, language: 'zpl' | 'escpos' | undefined) {
  const dir = makeDataDir()
  const spooler = createNetworkSpooler({
    dir,
    printers: [{ name: 'Label', uri: device.uri }],
    log: pino({ level: 'silent' }),
    openDevice: (printer) => createRawDevice(printer, { timings: FAST, dir, getLanguage: () => language }),
    backoff: { baseMs: 20, maxMs: 40 },
  })
  spooler.start?.()
  onTestFinished(() => void spooler.close?.())

  async function submit(document: Buffer | string, changes?: Partial<Submission>) {
    const { spoolerJobId } = await spooler.submitHeld(makeSubmission(document, 'Label', changes))
    const states: { state: SpoolerState; atMs: number }[] = []
    const end = (async () => {
      for await (const state of spooler.watch(spoolerJobId, AbortSignal.timeout(30_000)))
        states.push({ state, atMs: performance.now() })
      return states.at(-1) as { state: SpoolerState; atMs: number }
    })()
    await spooler.release(spoolerJobId)
    return { id: spoolerJobId, states, end }
  }

  return {
    spooler,
    submit,
    print: async (document: Buffer | string, changes?: Partial<Submission>) => {
      const { end, states } = await submit(document, changes)
      return { ...(await end), states }
    },
    printer: async () => (await spooler.printers())[0],
    findLanguage: async () => await spooler.devices.get('Label')?.findLanguage?.(),
    sleep,
  }
}
