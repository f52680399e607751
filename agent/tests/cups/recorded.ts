/** Answers as they came from CUPS 2.4.2 and from its ippeveprinter, byte by byte. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IppAttributes } from '../../ipp/attributes.ts'
import { decodeMessage } from '../../ipp/decode.ts'
import { GROUPS } from '../../ipp/tags.ts'

/**
 * - `cups-printers`: all queues, idle.
 * - `cups-troubled`: one without paper, one paused, one that rejects, two whose devices are not there.
 * - `laser-device`, `label-device`: what the devices say themselves.
 */
export type Recording = 'cups-printers' | 'cups-troubled' | 'laser-device' | 'label-device'

export const readRecording = (name: Recording) => readFileSync(join(import.meta.dirname, 'recorded', `${name}.ipp`))

export function recordedPrinters(name: Recording): IppAttributes[] {
  const { groups } = decodeMessage(readRecording(name))
  return groups.filter(({ tag }) => tag === GROUPS.printer).map(({ attributes }) => attributes)
}

/** @param name of the queue; without one the only printer. */
export function recordedPrinter(recording: Recording, name?: string): IppAttributes {
  const printers = recordedPrinters(recording)
  const found = printers.find((printer) => name === undefined || printer['printer-name']?.[0] === name)
  if (!found) throw new Error(`no ${name} was recorded`)
  return found
}
