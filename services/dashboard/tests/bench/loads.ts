/** How fast pages of the dashboard load, with the conditions and limits of its design. */

import { type Figures, medians } from '@platen/test/bench/report.ts'
import { changeRoute, LINE, openSlowPage, readObserved, untilShown } from './slow-page.ts'
import { newJob, type Visitor } from './visitor.ts'

const REPEATS = 5
/** What a page does after its first content belongs to its load. */
const SETTLE_MS = 2_000
const JOBS = 15

const LIMITS: Figures = {
  'first content ms': 1_800,
  'job summary readable ms': 2_500,
  'blocking time ms': 200,
  'layout shift': 0.02,
  'route change to the overview ms': 100,
  'route change to a job ms': 100,
}

export async function measureLoads(visitor: Visitor, jobId: string): Promise<Record<string, number | string>> {
  console.log(`${REPEATS} loads of the page of a job, ${LINE} …`)
  const rounds: Figures[] = []
  while (rounds.length < REPEATS) {
    const round = { ...(await measureFloor(visitor)), ...(await measureJobPage(visitor, jobId)) }
    console.log(`  ${JSON.stringify(round)}`)
    rounds.push(round)
  }
  return Object.fromEntries(
    Object.entries(medians(rounds)).map(([name, value]) =>
      name in LIMITS ? [`${name}, at most ${LIMITS[name]}`, value] : [name, value],
    ),
  )
}

/** @returns the last one, which is done. */
export async function createJobs({ addKey, addComputer }: Visitor): Promise<string> {
  const api = await addKey()
  const { printerId, connect } = await addComputer()
  const agent = await connect()
  let jobId = ''
  for (let n = 1; n <= JOBS; n++) jobId = (await api.createJob(newJob(printerId, `Invoice ${n}`))).id
  await api.waitUntilFinal(jobId)
  agent.close()
  return jobId
}

/** A page of the same server without script and style, and a click that adds one element to it. */
async function measureFloor(visitor: Visitor): Promise<Figures> {
  const page = await openSlowPage(await visitor.newContext())
  await page.goto(`${visitor.origin}/version`)
  const { firstContentMs } = await readObserved(page)
  await page.evaluate(() => {
    const link = document.body.appendChild(document.createElement('a'))
    link.onclick = () => document.body.append(document.createElement('h1'))
  })
  const clickMs = await changeRoute(page, 'a', 'h1')
  await page.context().close()
  return { 'floor: first content ms': Math.round(firstContentMs), 'floor: click to paint ms': Math.round(clickMs) }
}

async function measureJobPage(visitor: Visitor, jobId: string): Promise<Figures> {
  const page = await openSlowPage(await visitor.newContext())
  const summary = `section[data-code]`
  await page.goto(`${visitor.origin}/app/live/jobs/${jobId}`)
  const frameMs = await untilShown(page, 'h1')
  const summaryMs = await untilShown(page, summary)
  await page.waitForTimeout(SETTLE_MS)
  const { firstContentMs, longTasks, layoutShift } = await readObserved(page)
  const blocking = (from: number) =>
    longTasks.filter(({ startTime }) => startTime >= from).reduce((sum, { duration }) => sum + duration - 50, 0)
  const overview = 'nav a[href$="/app/live"]'
  const job = `a[href$="${jobId}"]`
  // The first change loads the overview.
  await changeRoute(page, overview, job)
  await changeRoute(page, job, summary)
  const toOverviewMs = await changeRoute(page, overview, job)
  const toJobMs = await changeRoute(page, job, summary)
  await page.context().close()
  return {
    'first content ms': Math.round(firstContentMs),
    'navigation and title ms': Math.round(frameMs),
    'job summary readable ms': Math.round(summaryMs),
    'blocking time ms': Math.round(blocking(firstContentMs)),
    'blocking time before the first content ms': Math.round(blocking(0) - blocking(firstContentMs)),
    'layout shift': Number(layoutShift.toFixed(3)),
    'route change to the overview ms': Math.round(toOverviewMs),
    'route change to a job ms': Math.round(toJobMs),
  }
}
