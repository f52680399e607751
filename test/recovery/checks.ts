/** The facts that a command shows, and its verdict. */

export type Checks = ReturnType<typeof createChecks>

export function createChecks() {
  let [passed, failed] = [0, 0]
  /** @param wrong describes what is not as the title says. */
  function check(title: string, wrong: string | undefined): void {
    if (wrong === undefined) passed++
    else failed++
    console.log(wrong === undefined ? `✓ ${title}` : `✗ ${title}: ${wrong}`)
  }
  return {
    progress: (line: string) => void process.stderr.write(`${line} …\n`),
    check,
    /** @param fact throws if it does not hold. */
    async shows(title: string, fact: () => Promise<unknown>): Promise<void> {
      const wrong = await fact().then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      check(title, wrong)
    },
    /** Prints the verdict. @returns the exit code. */
    end(): number {
      console.log(`${passed} passed, ${failed} failed`)
      return failed > 0 ? 1 : 0
    },
  }
}

/** @returns a description of the elements, undefined for none. */
export const unlessEmpty = (wrong: readonly unknown[]): string | undefined =>
  wrong.length === 0 ? undefined : `${wrong.length}: ${wrong.slice(0, 5).map(String).join('; ')}`
