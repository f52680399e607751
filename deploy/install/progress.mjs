/** Shows the progress of an installation: one line per step with the elapsed time. */

const TERMINAL_TICK_MS = 1_000
const LOG_TICK_MS = 10_000

/**
 * @template T
 * @param {string} step for example "Installing packages (about 30 s)"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress(step, work) {
  const startedAt = performance.now()
  const elapsed = () => `${Math.round((performance.now() - startedAt) / 1000)} s`
  const terminal = process.stdout.isTTY
  process.stdout.write(`${step} …`)
  const timer = setInterval(
    () => process.stdout.write(terminal ? `\r${step} … ${elapsed()}` : ' .'),
    terminal ? TERMINAL_TICK_MS : LOG_TICK_MS,
  )
  try {
    const result = await work()
    process.stdout.write(terminal ? `\r${step} … done in ${elapsed()}\n` : ` done in ${elapsed()}\n`)
    return result
  } catch (error) {
    process.stdout.write(' failed\n')
    throw error
  } finally {
    clearInterval(timer)
  }
}
