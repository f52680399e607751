/** Draws labels and receipts in processes with limits, because documents are untrusted and drawing takes time. */
import { fileURLToPath } from 'node:url'
import type { PageEvent, Warning } from '@platen/preview/display-list.ts'
import type { PreviewOptions } from '@platen/preview/preview.ts'
import { createProcessPool, DOCUMENT_PROCESSES } from '@platen/runtime/process-pool.ts'
import { createTurns } from '@platen/runtime/turns.ts'

/** After which a picture ends, with a warning. */
export const DRAWING_TIMEOUT_MS = 2_000
/** Includes the start of the process. Reached only if one bar code takes that long. */
const PROCESS_TIMEOUT_MS = 15_000

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
  const draw = createProcessPool<PreviewRequest, DrawnPreview>('pictures', {
    program: [fileURLToPath(new URL('./preview-process.ts', import.meta.url))],
    timeoutMs: PROCESS_TIMEOUT_MS,
  })
  const inTurn = createTurns({ atOnce: DOCUMENT_PROCESSES.pictures.processesMax })
  return (organizationId, request) => inTurn(organizationId, () => draw(request))
}
