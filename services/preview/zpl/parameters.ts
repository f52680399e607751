/** Parameters of one command. Empty and unreadable ones have their default, as in printers. */
export class Parameters {
  readonly #parts: string[]
  readonly #dotsPerUnit: number

  /** @param dotsPerUnit of measures, by `^MU`. */
  constructor(text: string, delimiter: string, dotsPerUnit: number) {
    this.#parts = text.split(delimiter)
    this.#dotsPerUnit = dotsPerUnit
  }

  text(index: number, otherwise: string): string {
    return this.#parts[index]?.trim() || otherwise
  }

  has(index: number): boolean {
    return (this.#parts[index] ?? '').trim() !== ''
  }

  /** `Y` or `N`. */
  flag(index: number, otherwise: boolean): boolean {
    const letter = this.text(index, '').charAt(0).toUpperCase()
    return letter === 'Y' || (letter !== 'N' && otherwise)
  }

  /** A whole number in bounds. */
  number(index: number, otherwise: number, min: number, max: number): number {
    return Math.round(this.decimal(index, otherwise, min, max))
  }

  decimal(index: number, otherwise: number, min: number, max: number): number {
    const value = Number.parseFloat(this.text(index, ''))
    return Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : otherwise
  }

  /** A measure in dots. `^MU` sets its unit. */
  dots(index: number, otherwise: number): number {
    const value = Number.parseFloat(this.text(index, ''))
    return Number.isFinite(value)
      ? Math.min(32_000, Math.max(-32_000, Math.round(value * this.#dotsPerUnit)))
      : otherwise
  }

  /** `N`, `R`, `I` or `B`. */
  orientation(index: number, otherwise: Orientation): Orientation {
    const letter = this.text(index, '').charAt(0).toUpperCase()
    return letter === 'N' || letter === 'R' || letter === 'I' || letter === 'B' ? letter : otherwise
  }
}

export type Orientation = 'N' | 'R' | 'I' | 'B'
