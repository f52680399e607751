/** Keeps a text that comes in pieces, unless it is long: a document is not held. Used by `receive-print-job.ts`. */
export function createTextStart(limitBytes: number) {
  const pieces: Buffer[] = []
  let sizeBytes = 0
  return {
    push(piece: Buffer): void {
      sizeBytes += piece.length
      if (sizeBytes > limitBytes) pieces.length = 0
      // A copy: the piece is a view of a chunk of the body.
      else if (piece.length > 0) pieces.push(Buffer.from(piece))
    },
    /** @returns undefined when it was longer than the limit, or is no UTF-8. */
    whole(): string | undefined {
      if (sizeBytes > limitBytes) return undefined
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces))
      } catch {
        return undefined
      }
    },
  }
}
