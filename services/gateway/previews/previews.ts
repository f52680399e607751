/** Draws labels and receipts in processes with limits, because documents are untrusted and drawing takes time. */
import { fileURLToPath } from 'node:url'
import type { PageEvent, Warning } from '@platen/preview/display-list.ts'
import type { PreviewOptions } from '@platen/preview/preview.ts'
import { createProcessPool } from '@platen/runtime/process-pool.ts'
import { createTurns } from '@platen/runtime/turns.ts'

/** After which a picture ends, with a warning. */
export const DRAWING_TIMEOUT_MS = 2_000
/** Includes the start of the process. Reached only if one bar code takes that long. */
const PROCESS_TIMEOUT_MS = 15_000
/** Of one replica. */
const PROCESSES_MAX = 2
/** Of JavaScript in a process, in MB. */
const HEAP_MAX_MB = 128

export interface PreviewRequest {
  document: Uint8Array
  options: PreviewOptions
}

/** A page as the API shows it. */
export interface PreviewPage {
  svg: string
  widthMm: number
  heightMm: number
  warnings: Warning[]
  events: { kind: PageEvent['kind']; atMm: number }[]
}

export interface DrawnPreview {
  language: 'zpl' | 'escpos'
  pages: PreviewPage[]
}

/** @returns undefined if the document exceeds the limits of the process. */
export type DrawPreview = (organizationId: string, request: PreviewRequest) => Promise<DrawnPreview | undefined>

/** Each organization has one drawing at a time. */
export function createPreviews(): DrawPreview {
  const draw = createProcessPool<PreviewRequest, DrawnPreview>({
    args: [`--max-old-space-size=${HEAP_MAX_MB}`, fileURLToPath(new URL('./preview-process.ts', import.meta.url))],
    timeoutMs: PROCESS_TIMEOUT_MS,
    processesMax: PROCESSES_MAX,
  })
  const inTurn = createTurns({ atOnce: PROCESSES_MAX })
  return (organizationId, request) => inTurn(organizationId, () => draw(request))
}
