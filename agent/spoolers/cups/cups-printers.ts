/** The queues of CUPS as printers, with what their devices say of themselves. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { IppAttributes } from '../../ipp/attributes.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppError } from '../../ipp/ipp-error.ts'
import { keyword } from '../../ipp/typed.ts'
import type { Spooler } from '../spooler.ts'
import { CAPABILITY_ATTRIBUTES, isRaw, toCapabilities } from './capabilities.ts'
import { type AskDevice, askDevice, createDevices } from './devices.ts'
import { isConnecting, printerState, STATE_ATTRIBUTES } from './printer-state.ts'

/** A backend that has not reached its device for so long will hardly reach it now. */
const UNREACHABLE_AFTER_MS = 30_000

const ATTRIBUTES = ['device-uri', 'printer-info', 'printer-name', ...CAPABILITY_ATTRIBUTES, ...STATE_ATTRIBUTES].map(
  keyword,
)

export interface CupsPrintersOptions {
  client: IppClient
  /** Milliseconds, of whatever beginning. */
  now?: () => number
  ask?: AskDevice
}

/** @returns what lists all printers; it throws as the client does when CUPS does not answer. */
export function createCupsPrinters({
  client,
  now = () => performance.now(),
  ask = askDevice,
}: CupsPrintersOptions): Spooler['printers'] {
  const devices = createDevices(ask, now)
  /** By queue: since when CUPS is trying to reach its device. */
  let connectingSince = new Map<string, number>()

  async function report(
    queue: IppAttributes,
    defaultName: string | undefined,
  ): Promise<MessageInitShape<typeof ReportedPrinterSchema>> {
    const name = getText(queue, 'printer-name')
    const uri = getText(queue, 'device-uri')
    const device = isRaw(queue) ? undefined : await devices.attributes(uri)
    const since = connectingSince.get(name)
    return {
      osName: name,
      // What somebody wrote for people; CUPS fills in the queue's name where nobody did.
      name: getText(queue, 'printer-info') || name,
      description: getText(queue, 'printer-make-and-model'),
      isDefault: name === defaultName,
      ...printerState(queue, since !== undefined && now() - since >= UNREACHABLE_AFTER_MS),
      capabilities: toCapabilities(queue, device),
    }
  }

  return async () => {
    const [queues, defaultName] = await Promise.all([askQueues(client), askDefault(client)])
    const names = queues.filter(isConnecting).map((queue) => getText(queue, 'printer-name'))
    connectingSince = new Map(names.map((name) => [name, connectingSince.get(name) ?? now()]))
    devices.keep(queues.map((queue) => getText(queue, 'device-uri')))
    return Promise.all(queues.map((queue) => report(queue, defaultName)))
  }
}

async function askQueues(client: IppClient): Promise<IppAttributes[]> {
  try {
    const attributes = { 'requested-attributes': ATTRIBUTES }
    const { printers } = await client.request({ operation: 'CUPS-Get-Printers', attributes })
    return printers.filter((queue) => getText(queue, 'printer-name') !== '')
  } catch (error) {
    // A CUPS without queues.
    if (error instanceof IppError && error.status === 'client-error-not-found') return []
    throw error
  }
}

async function askDefault(client: IppClient): Promise<string | undefined> {
  try {
    const attributes = { 'requested-attributes': keyword('printer-name') }
    const { printers } = await client.request({ operation: 'CUPS-Get-Default', attributes })
    return printers[0] && getText(printers[0], 'printer-name')
  } catch (error) {
    if (error instanceof IppError && error.status === 'client-error-not-found') return undefined
    throw error
  }
}

function getText(attributes: IppAttributes, name: string): string {
  const [value] = attributes[name] ?? []
  return typeof value === 'string' ? value.replaceAll(/\p{Cc}+/gu, ' ').trim() : ''
}
