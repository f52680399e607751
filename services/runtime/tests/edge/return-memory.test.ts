import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/**
 * A process of its own, because it is idle or busy as a whole. Prints whether 80 MB that nothing refers to were
 * collected.
 */
const run = (isBusy: boolean): boolean => {
  const script = `
    import { returnMemory } from ${JSON.stringify(new URL('../../return-memory.ts', import.meta.url).href)}
    let timer
    returnMemory({ runTimer: (started) => { timer = started } })
    const garbage = new WeakRef(new Array(10_000_000).fill(0))
    await new Promise((resolve) => setTimeout(resolve))
    const busyUntil = process.cpuUsage().user + 600_000
    while (${isBusy} && process.cpuUsage().user < busyUntil);
    await timer.sweep()
    console.log(garbage.deref() === undefined)`
  return JSON.parse(
    execFileSync(process.execPath, ['--no-warnings', '--input-type=module', '--eval', script], { encoding: 'utf8' }),
  )
}

test('a process that is idle returns the memory of its start, and a busy one does not stop to collect it', () => {
  expect(run(false)).toBe(true)
  expect(run(true)).toBe(false)
})
