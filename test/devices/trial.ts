/**
 * A random printer, random jobs and a random fault, and what must never happen. `npm run test:long -- paper` runs many.
 *
 * A job must not be confirmed by the printer before its last sheet; be printed twice; end in an error although only its
 * word is missing; be interrupted by a question; be done while a printer that answers says why it does not print; or be
 * lost by the end of its connection.
 */
import { canPrint } from './device.ts'
import { openDeviceSpooler } from './print-on.ts'
import { countIn, createScenario, settle, startFault } from './scenario.ts'

/** @returns a sentence for each violation, and what the trial was. */
export async function runTrial(seed: number): Promise<{ violations: string[]; description: string }> {
  const { language, traits, jobs, fault, device, description } = await createScenario(seed)
  const { print } = openDeviceSpooler(device, language)
  const happening = startFault(device, fault)
  const violations: string[] = []
  let isKnown = false
  const before = new Map<string, number>()
  const count = (name: string) => device.sheets.filter(({ text }) => text === name).length
  for (const job of jobs) {
    before.set(job.name, count(job.name))
    const changes = { qty: job.qty, ...(job.contentType && { contentType: job.contentType }) }
    const { state } = await print(job.document, changes).catch(() => ({ state: undefined }))
    if (!state) {
      violations.push(`${job.name}: does not end`)
      break
    }
    const expected = job.qty * job.sheets
    const printed = () => count(job.name) - (before.get(job.name) ?? 0)
    const isDone = state.is === 'completed'
    // A printer whose answer has never reached the agent in time is not known to have the word.
    isKnown ||= state.confirmedBy === 'printer'
    if (state.confirmedBy === 'printer' && printed() < expected)
      violations.push(`${job.name}: confirmed with ${printed()} of ${expected} sheets`)
    if (!isDone && !happening.hadPowerCut) violations.push(`${job.name}: ${state.message}`)
    const isFaulty = !canPrint(device.machine) && performance.now() - happening.sinceMs > 200
    if (isDone && isFaulty && isKnown && printed() < expected)
      violations.push(`${job.name}: done while the printer cannot print`)
    await settle(device, fault, traits.sheetMs)
    if (printed() > expected) violations.push(`${job.name}: ${printed()} sheets instead of ${expected}`)
    if (isDone && isKnown && !happening.hadPowerCut && printed() < expected)
      violations.push(`${job.name}: lost, ${printed()} of ${expected} sheets`)
    if (isDone && countIn(device.received(), job.document) < job.qty && !happening.hadPowerCut)
      violations.push(`${job.name}: a question is inside of the document`)
  }
  await happening.end
  return { violations, description: JSON.stringify(description) }
}
