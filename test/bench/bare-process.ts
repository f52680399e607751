/** The process of `bare-timer.ts`. Nothing else runs in it. */
import { runSteadily } from './report.ts'

const PER_SECOND = 200

const over = new AbortController()
process.on('message', () => over.abort())
process.send?.('started')
const late = await runSteadily(PER_SECOND, over.signal, async (dueAt) => performance.now() - dueAt)
process.send?.(late, () => process.disconnect())
