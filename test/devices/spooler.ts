/**
 * The spooler of network printers with devices, as the agent has it, but with short times. Also used by a process that
 * is killed.
 */
import type { RawLanguage } from '@platen/proto/raw-languages.ts'
import { pino } from 'pino'
import type { Device } from '../../agent/spoolers/network/device.ts'
import { createNetworkSpooler } from '../../agent/spoolers/network/network-spooler.ts'
import { createRawDevice } from '../../agent/spoolers/network/raw-device.ts'
import type { WordTimings } from '../../agent/spoolers/words/word.ts'

export const PRINTER = 'Label'

export interface UsedDevice {
  name: string
  uri: string
  language: RawLanguage | undefined
}

/** A tenth of the real times: sheets of the devices are as short. */
const FAST: Partial<WordTimings> & Record<string, unknown> = {
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

/** @param dir has the jobs, and what the devices have answered. */
export function openSpooler(dir: string, devices: UsedDevice[], wrap = (device: Device) => device) {
  const getLanguage = (name: string) => devices.find((device) => device.name === name)?.language
  return createNetworkSpooler({
    dir,
    printers: devices.map(({ name, uri }) => ({ name, uri })),
    log: pino({ level: 'silent' }),
    openDevice: (printer) =>
      wrap(createRawDevice(printer, { timings: FAST, dir, getLanguage: () => getLanguage(printer.name) })),
    backoff: { baseMs: 20, maxMs: 40 },
  })
}
