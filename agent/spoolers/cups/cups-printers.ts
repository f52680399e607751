/** Lists the queues of CUPS as printers, with attributes of their devices. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { keyword } from '@platen/ipp/typed.ts'
import type { ReportedPrinterSchema } from '@platen/proto/gen/platen/agent/v1/agent_pb.ts'
import type { IppClient } from '../../ipp/client.ts'
import { IppError } from '../../ipp/ipp-error.ts'
import { PDF_AND_RAW } from '../raw-documents.ts'
import type { Spooler } from '../spooler.ts'
import { CAPABILITY_ATTRIBUTES, isRaw, toCapabilities } from './capabilities.ts'
import { createDevices, queryDevice as defaultQueryDevice, type QueryDevice } from './devices.ts'
import { isConnecting, STATE_ATTRIBUTES, toPrinterState } from './printer-state.ts'

/** A printer is offline if its backend has tried to connect for this time. */
const UNREACHABLE_AFTER_MS = 30_000

const ATTRIBUTES = ['device-uri', 'printer-info', 'printer-name', ...CAPABILITY_ATTRIBUTES, ...STATE_ATTRIBUTES].map(
  keyword,
)

export interface CupsPrintersOptions {
  client: IppClient
  /** Milliseconds since any fixed time. */
  now?: () => number
  queryDevice?: QueryDevice
  /** Gets the device URIs of raw queues by name, with each list. */
  onRawQueues?: (uris: Map<string, string>) => void
}

/** @returns a function that lists all printers. It throws the error of the client if CUPS does not answer. */
export function createCupsPrinters({
  client,
  now = () => performance.now(),
  queryDevice = defaultQueryDevice,
  onRawQueues,
}: CupsPrintersOptions): Spooler['printers'] {
  const devices = createDevices(queryDevice, now)
  /** When CUPS began to connect to the device, by queue. */
  let connectingSince = new Map<string, number>()

  async function toReportedPrinter(
    queue: IppAttributes,
    defaultName: string | undefined,
  ): Promise<MessageInitShape<typeof ReportedPrinterSchema>> {
    const name = getText(queue, 'printer-name')
    const uri = getText(queue, 'device-uri')
    const device = isRaw(queue) ? undefined : await devices.attributes(uri)
    const since = connectingSince.get(name)
    return {
      osName: name,
      // The description that a user entered. CUPS returns the name of the queue if it is empty.
      name: getText(queue, 'printer-info') || name,
      description: getText(queue, 'printer-make-and-model'),
      isDefault: name === defaultName,
      ...toPrinterState(queue, since !== undefined && now() - since >= UNREACHABLE_AFTER_MS),
      // CUPS converts PDFs for the driver, and sends raw data unchanged.
      capabilities: toCapabilities(queue, device, PDF_AND_RAW),
    }
  }

  return async () => {
    const [queues, defaultName] = await Promise.all([getQueues(client), getDefaultName(client)])
    const names = queues.filter(isConnecting).map((queue) => getText(queue, 'printer-name'))
    connectingSince = new Map(names.map((name) => [name, connectingSince.get(name) ?? now()]))
    const raw = queues.filter(isRaw)
    onRawQueues?.(new Map(raw.map((queue) => [getText(queue, 'printer-name'), getText(queue, 'device-uri')])))
    devices.deleteOthers(queues.map((queue) => getText(queue, 'device-uri')))
    return Promise.all(queues.map((queue) => toReportedPrinter(queue, defaultName)))
  }
}

async function getQueues(client: IppClient): Promise<IppAttributes[]> {
  try {
    const attributes = { 'requested-attributes': ATTRIBUTES }
    const { printers } = await client.request({ operation: 'CUPS-Get-Printers', attributes })
    return printers.filter((queue) => getText(queue, 'printer-name') !== '')
  } catch (error) {
    // CUPS has no queues.
    if (error instanceof IppError && error.status === 'client-error-not-found') return []
    throw error
  }
}

async function getDefaultName(client: IppClient): Promise<string | undefined> {
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
