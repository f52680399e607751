/**
 * `npm run bench -- dashboard [routes|loads|live]`: the dashboard in Chromium, against an installation with the shipped
 * settings. First how fast pages load on a slow computer and line, with the floor of the same run, then whether the
 * pages keep up with 200 events a second. Fails if list, page and API do not agree afterwards.
 */
import { printTable } from '@platen/test/bench/report.ts'
import { makeDataDir, removeDataDir, startPlaten } from '@platen/test/harness/platen.ts'
import { launchChromium } from '../chromium.ts'
import { measureLive } from './live.ts'
import { createJobs, measureLoads } from './loads.ts'
import { measureRoutes } from './routes.ts'
import { createVisitor } from './visitor.ts'

/** The limits that `npm start` and the chart ship, which the dashboard must not exceed. */
const SHIPPED_LIMITS = { PLATEN_RATE_LIMIT_PER_SECOND: '20', PLATEN_ORGANIZATION_RATE_LIMIT_PER_SECOND: '200' }

/** @param part "routes", "loads", "live", or undefined for all. */
export async function benchDashboard(part?: string): Promise<void> {
  console.log('starting …')
  const dataDir = await makeDataDir()
  const platen = await startPlaten({ dataDir, env: SHIPPED_LIMITS })
  const browser = await launchChromium()
  try {
    const visitor = await createVisitor(platen, browser)
    const isWanted = (name: string) => part === undefined || part === name
    const jobId = part === 'live' ? '' : await createJobs(visitor)
    const routes = isWanted('routes') ? await measureRoutes(visitor, jobId) : {}
    const loads = isWanted('loads') ? await measureLoads(visitor, jobId) : {}
    const live = isWanted('live') ? await measureLive(visitor) : {}
    printTable({ ...routes, ...loads, ...live })
  } finally {
    await browser.close()
    await platen.stop()
    await removeDataDir(dataDir)
  }
}
