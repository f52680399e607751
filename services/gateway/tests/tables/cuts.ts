/** Ways in which a network can split bytes into pieces. */

/** Two pieces, split at each position. */
export function everyCut(bytes: Buffer): Buffer[][] {
  return Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)])
}

/** Pieces of 0 to 40 bytes. */
export function cutAnywhere(bytes: Buffer, next: (below: number) => number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + next(41)
    pieces.push(bytes.subarray(at, end))
    at = end
  }
  return pieces
}
