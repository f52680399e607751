/** The spooler of network printers with one device, and the outcome of its jobs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawLanguage } from '@platen/proto/raw-languages.ts'
import { onTestFinished } from 'vitest'
import type { SpoolerState, Submission } from '../../agent/spoolers/spooler.ts'
import { makeDataDir } from '../../agent/tests/start-agent.ts'
import { makeSubmission } from '../../agent/tests/submission.ts'
import type { Device } from './device.ts'
import { type EpsonTraits, startEpson } from './epson.ts'
import { type LaserTraits, startLaser } from './laser.ts'
import { type SatoTraits, startSato } from './sato.ts'
import { openSpooler, PRINTER } from './spooler.ts'
import { type StarTraits, startStar } from './star.ts'
import { startZebra, type ZebraTraits } from './zebra.ts'

/** Until the end of the test. */
export async function useZebra(traits: ZebraTraits): Promise<Device> {
  return use(await startZebra(traits))
}

/** Until the end of the test. */
export async function useEpson(traits: EpsonTraits): Promise<Device> {
  return use(await startEpson(traits))
}

/** Until the end of the test. */
export async function useStar(traits: StarTraits): Promise<Device> {
  return use(await startStar(traits))
}

/** Until the end of the test. */
export async function useSato(traits: SatoTraits): Promise<Device> {
  return use(await startSato(traits))
}

/** Until the end of the test. */
export async function useLaser(traits: LaserTraits): Promise<Device> {
  return use(await startLaser(traits))
}

function use(device: Device): Device {
  onTestFinished(device.stop)
  return device
}

export function openDeviceSpooler(device: Pick<Device, 'uri'>, language: RawLanguage | undefined) {
  const spooler = openSpooler(makeDataDir(), [{ name: PRINTER, uri: device.uri, language }])
  spooler.start?.()
  onTestFinished(() => void spooler.close?.())

  async function submit(document: Buffer | string, changes?: Partial<Submission>) {
    const { spoolerJobId } = await spooler.submitHeld(makeSubmission(document, PRINTER, changes))
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
