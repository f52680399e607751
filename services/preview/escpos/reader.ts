/** The bytes of a document, read from the front. Reading beyond the end gives zeros. */
export class Reader {
  readonly #bytes: Uint8Array
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get ended(): boolean {
    return this.at >= this.#bytes.length
  }

  byte(): number {
    return this.#bytes[this.at++] ?? 0
  }

  /** A number of two bytes, the lower one first. */
  word(): number {
    return this.byte() + this.byte() * 256
  }

  /** @returns undefined beyond the end. */
  peekAt(at: number): number | undefined {
    return this.#bytes[at]
  }

  take(count: number): Uint8Array {
    const taken = this.#bytes.subarray(this.at, this.at + count)
    this.at += count
    return taken
  }

  /** Up to the byte 0, which is skipped. */
  takeUntilZero(): Uint8Array {
    const end = this.#bytes.indexOf(0, this.at)
    const taken = this.take((end < 0 ? this.#bytes.length : end) - this.at)
    this.at++
    return taken
  }
}

/** @returns one character per byte. */
export function toText(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return text
}
