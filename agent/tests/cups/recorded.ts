/** Answers of CUPS 2.4.2 and of its ippeveprinter, byte by byte. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IppAttributes } from '../../ipp/attributes.ts'
import { decodeMessage } from '../../ipp/decode.ts'
import { GROUPS } from '../../ipp/tags.ts'

/**
 * - `cups-printers`: all queues, idle.
 * - `cups-troubled`: one without paper, one paused, one that rejects, two whose devices are not there.
 * - `laser-device`: the answer of the device itself.
 *
 * @param name of the queue; without one the only printer.
 */
export function recordedPrinter(
  recording: 'cups-printers' | 'cups-troubled' | 'laser-device',
  name?: string,
): IppAttributes {
  const { groups } = decodeMessage(readFileSync(join(import.meta.dirname, 'recorded', `${recording}.ipp`)))
  const printers = groups.filter(({ tag }) => tag === GROUPS.printer).map(({ attributes }) => attributes)
  const found = printers.find((printer) => name === undefined || printer['printer-name']?.[0] === name)
  if (!found) throw new Error(`no ${name} was recorded`)
  return found
}
