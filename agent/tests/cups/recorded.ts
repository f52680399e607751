/** Recorded responses of CUPS 2.4.2 and of ippeveprinter. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IppAttributes } from '@platen/ipp/attributes.ts'
import { decodeMessage } from '@platen/ipp/decode.ts'
import { GROUPS } from '@platen/ipp/tags.ts'

/**
 * - `cups-printers`: all queues, idle.
 * - `cups-troubled`: a queue without paper, a paused queue, a queue that rejects jobs, and two queues with unreachable
 *   devices.
 * - `laser-device`: the response of the device.
 *
 * @param name the name of the queue; absent for the only printer.
 */
export function recordedPrinter(
  recording: 'cups-printers' | 'cups-troubled' | 'laser-device',
  name?: string,
): IppAttributes {
  const { groups } = decodeMessage(readFileSync(join(import.meta.dirname, 'recorded', `${recording}.ipp`)))
  const printers = groups.filter(({ tag }) => tag === GROUPS.printer).map(({ attributes }) => attributes)
  const found = printers.find((printer) => name === undefined || printer['printer-name']?.[0] === name)
  if (!found) throw new Error(`no recording of ${name}`)
  return found
}
