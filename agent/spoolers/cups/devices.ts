/**
 * What devices say of themselves, remembered. A list of printers waits for a device's first answer alone, and not for long: a device that
 * is off, or slow, is asked again later, and its answer is in a later list.
 */

import type { IppAttributes } from '../../ipp/attributes.ts'
import { openIppClient } from '../../ipp/client.ts'
import { keyword } from '../../ipp/typed.ts'
import { DEVICE_ATTRIBUTES } from './capabilities.ts'

const ANSWER_TIMEOUT_MS = 2_000

/** What a device can do changes when somebody screws a tray on. */
const REFRESH_INTERVAL_MS = 10 * 60_000
const RETRY_INTERVAL_MS = 60_000

interface Device {
  /** Of its last answer. */
  attributes?: IppAttributes
  first: Promise<void>
  /** Infinity while it is being asked. */
  askAtMs: number
}

/** @returns undefined when the device does not answer. */
export type AskDevice = (uri: string) => Promise<IppAttributes | undefined>

export function createDevices(ask: AskDevice, now: () => number) {
  const devices = new Map<string, Device>()

  async function refresh(uri: string, device: Device): Promise<void> {
    device.askAtMs = Number.POSITIVE_INFINITY
    const attributes = await ask(uri)
    device.attributes = attributes ?? device.attributes
    device.askAtMs = now() + (attributes ? REFRESH_INTERVAL_MS : RETRY_INTERVAL_MS)
  }

  return {
    /** @param uri of any scheme; undefined for a device that does not speak IPP, or has not answered yet. */
    async attributes(uri: string): Promise<IppAttributes | undefined> {
      if (!/^ipps?:\/\//.test(uri) || !URL.canParse(uri)) return undefined
      let device = devices.get(uri)
      if (!device) {
        device = { first: Promise.resolve(), askAtMs: 0 }
        devices.set(uri, device)
        device.first = refresh(uri, device)
      } else if (now() >= device.askAtMs) void refresh(uri, device)
      await device.first
      return device.attributes
    },

    /** Forgets all others. */
    keep(uris: string[]): void {
      for (const uri of devices.keys()) if (!uris.includes(uri)) devices.delete(uri)
    },
  }
}

/** @returns undefined when it does not answer in time, or says no. */
export async function askDevice(uri: string, limitMs = ANSWER_TIMEOUT_MS): Promise<IppAttributes | undefined> {
  const client = openIppClient({ url: uri })
  try {
    const requested = DEVICE_ATTRIBUTES.map(keyword)
    const { printers } = await client.request({
      operation: 'Get-Printer-Attributes',
      attributes: { 'requested-attributes': requested },
      signal: AbortSignal.timeout(limitMs),
    })
    return printers[0]
  } catch {
    // Whatever it was, CUPS' own word is all there is.
    return undefined
  } finally {
    client.close()
  }
}
