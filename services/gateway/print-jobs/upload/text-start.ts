/** Collects a text that arrives in pieces, unless it exceeds a limit. Used by `receive-print-job.ts`. */
export function createTextStart(limitBytes: number) {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  return {
    push(piece: Buffer): void {
      sizeBytes += piece.length
      if (sizeBytes > limitBytes) pieces.length = 0
      // A copy, because the piece is a view of a chunk of the body.
      else if (piece.length > 0) pieces.push(Buffer.from(piece))
    },
    /** @returns undefined if the text exceeds the limit; empty if it is not UTF-8. */
    whole(): string | undefined {
      if (sizeBytes > limitBytes) return undefined
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces))
      } catch {
        return ''
      }
    },
  }
}
