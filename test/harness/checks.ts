/** The facts that a command shows, and its verdict. */

const PROBLEMS_SHOWN = 10

export type Checks = ReturnType<typeof createChecks>

export function createChecks() {
  const startedAt = performance.now()
  let [passed, failed] = [0, 0]
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)
  /** @param wrong describes what is not as the title says, all at once or each problem. */
  function check(title: string, wrong: string | readonly unknown[] | undefined): void {
    const problems = [wrong ?? []].flat()
    if (problems.length === 0) passed++
    else failed++
    console.log(problems.length === 0 ? `✓ ${title}` : `✗ ${title}:`)
    for (const problem of problems.slice(0, PROBLEMS_SHOWN)) console.log(`    ${problem}`)
    if (problems.length > PROBLEMS_SHOWN) console.log(`    and ${problems.length - PROBLEMS_SHOWN} more`)
  }
  return {
    progress: (line: string) => void process.stderr.write(`${seconds()} s  ${line} …\n`),
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
