/**
 * Converts images in processes with limits, because decoders of images are written in native code and images are
 * untrusted. Each organization has one conversion at a time, so that the images of one do not delay those of others.
 */
import { fileURLToPath } from 'node:url'
import { createProcessPool, DOCUMENT_PROCESSES } from '@platen/runtime/process-pool.ts'
import { createTurns } from '@platen/runtime/turns.ts'
import type { ImageFault } from './invalid-image.ts'
import type { Sheets } from './lay-out-image.ts'

export const CONVERSION_TIMEOUT_MS = 20_000

export interface ConversionRequest {
  bytes: Uint8Array
  sheets: Sheets
}

export type Conversion = { pdf: Uint8Array } | { fault: ImageFault }

/** `image_limits`: the image needs too much memory or time, or ends the process. */
export type ConversionFault = ImageFault | 'image_limits'

export type Conversions = ReturnType<typeof createConversions>

export function createConversions() {
  const request = createProcessPool<ConversionRequest, Conversion>('conversions', {
    program: [fileURLToPath(new URL('./convert-process.ts', import.meta.url))],
    timeoutMs: CONVERSION_TIMEOUT_MS,
  })
  return {
    /** Waits for the turn of an organization, in which the work may read an image and call `convert` once. */
    inTurn: createTurns({ atOnce: DOCUMENT_PROCESSES.conversions.processesMax }),

    async convert(bytes: Uint8Array, sheets: Sheets): Promise<Conversion | { fault: ConversionFault }> {
      return (await request({ bytes, sheets })) ?? { fault: 'image_limits' }
    },
  }
}
