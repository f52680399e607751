/**
 * Caches attributes of devices. A list of printers waits for the first answer of a device only, at most
 * `ANSWER_TIMEOUT_MS`. A device that does not answer in time is queried again later.
 */

import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { keyword } from '@platen/ipp/typed.ts'
import { openIppClient } from '../../ipp/client.ts'
import { DEVICE_ATTRIBUTES } from './capabilities.ts'

const ANSWER_TIMEOUT_MS = 2_000

/** Capabilities change rarely, for example when a tray is added. */
const REFRESH_INTERVAL_MS = 10 * 60_000
const RETRY_INTERVAL_MS = 60_000

interface Device {
  /** The last answer. */
  attributes?: IppAttributes
  first: Promise<void>
  /** Infinity during a query. */
  queryAtMs: number
}

/** @returns undefined if the device does not answer. */
export type QueryDevice = (uri: string) => Promise<IppAttributes | undefined>

export function createDevices(query: QueryDevice, now: () => number) {
  const devices = new Map<string, Device>()

  async function refresh(uri: string, device: Device): Promise<void> {
    device.queryAtMs = Number.POSITIVE_INFINITY
    const attributes = await query(uri)
    device.attributes = attributes ?? device.attributes
    device.queryAtMs = now() + (attributes ? REFRESH_INTERVAL_MS : RETRY_INTERVAL_MS)
  }

  return {
    /** Undefined for a URI of another scheme than `ipp:` and `ipps:`, and before the first answer. */
    async attributes(uri: string): Promise<IppAttributes | undefined> {
      if (!isIppUri(uri)) return undefined
      let device = devices.get(uri)
      if (!device) {
        device = { first: Promise.resolve(), queryAtMs: 0 }
        devices.set(uri, device)
        device.first = refresh(uri, device)
      } else if (now() >= device.queryAtMs) void refresh(uri, device)
      await device.first
      return device.attributes
    },

    /** Deletes the devices that are not in the list. */
    deleteOthers(uris: string[]): void {
      for (const uri of devices.keys()) if (!uris.includes(uri)) devices.delete(uri)
    },
  }
}

const isIppUri = (uri: unknown): uri is string =>
  typeof uri === 'string' && /^ipps?:\/\//.test(uri) && URL.canParse(uri)

/** @returns undefined after an error or a timeout, and for a URI of another scheme than `ipp:` and `ipps:`. */
export async function queryDevice(uri: unknown, timeoutMs = ANSWER_TIMEOUT_MS): Promise<IppAttributes | undefined> {
  if (!isIppUri(uri)) return undefined
  const client = openIppClient({ url: uri })
  try {
    const requested = DEVICE_ATTRIBUTES.map(keyword)
    const { printers } = await client.request({
      operation: 'Get-Printer-Attributes',
      attributes: { 'requested-attributes': requested },
      signal: AbortSignal.timeout(timeoutMs),
    })
    return printers[0]
  } catch {
    // The attributes of CUPS are used instead.
    return undefined
  } finally {
    client.close()
  }
}
