/** Bounds of one picture. Documents are untrusted, and a few bytes can ask for millions of items. */
export const PAGES_MAX = 50
export const WARNINGS_MAX = 100
/** A side of a page or bitmap, in dots: 2.5 m at 203 dpi. */
export const SIDE_MAX_DOTS = 20_000

const ITEMS_MAX = 60_000
const PATH_MAX_CHARACTERS = 4_000_000
const BITMAP_MAX_BYTES = 16_000_000
/** Characters of bar codes, whose encoding takes the most time. */
const SYMBOL_MAX_CHARACTERS = 20_000
/** What each bar code costs beside its characters. */
const SYMBOL_CHARACTERS = 30
const COMMANDS_MAX = 200_000

/** The document exceeds a bound. What was drawn before stays. */
export class BudgetExceeded extends Error {
  constructor(what: string) {
    super(`The picture ends here, because the document has too many ${what}.`)
  }
}

/** Counts what a document uses, over all its pages. Each method throws `BudgetExceeded`. */
export class Budget {
  readonly #endsAt: number
  #items = 0
  #pathCharacters = 0
  #bitmapBytes = 0
  #symbolCharacters = 0
  #commands = 0

  /** @param timeoutMs after which the picture ends. */
  constructor(timeoutMs: number) {
    this.#endsAt = performance.now() + timeoutMs
  }

  spendItems(count: number): void {
    this.#items += count
    if (this.#items > ITEMS_MAX) throw new BudgetExceeded('fields and characters')
  }

  spendPath(characters: number): void {
    this.#pathCharacters += characters
    if (this.#pathCharacters > PATH_MAX_CHARACTERS) throw new BudgetExceeded('lines and bars')
  }

  spendBitmap(bytes: number): void {
    this.#bitmapBytes += bytes
    if (this.#bitmapBytes > BITMAP_MAX_BYTES) throw new BudgetExceeded('bytes of graphics')
  }

  spendSymbol(characters: number): void {
    this.#requireTime()
    this.#symbolCharacters += characters + SYMBOL_CHARACTERS
    if (this.#symbolCharacters > SYMBOL_MAX_CHARACTERS) throw new BudgetExceeded('or too large bar codes')
  }

  spendCommand(): void {
    this.#requireTime()
    this.#commands++
    if (this.#commands > COMMANDS_MAX) throw new BudgetExceeded('commands')
  }

  #requireTime(): void {
    if (performance.now() > this.#endsAt) throw new BudgetExceeded('parts that take long to draw')
  }
}
