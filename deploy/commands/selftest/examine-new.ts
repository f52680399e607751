import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '../doctor/finding.ts'

const PAUSE_MS = 500

/**
 * Examines the installation again while something is wrong. A policy engine of Kubernetes can know a pod a second or
 * two after it has started, and refuses its connections until then.
 *
 * @param signal ends the repetition.
 * @returns the last findings.
 */
export async function examineNew(examine: () => Promise<Finding[]>, signal: AbortSignal): Promise<Finding[]> {
  for (;;) {
    const findings = await examine()
    if (signal.aborted || findings.every(({ remedy }) => remedy === undefined)) return findings
    await sleep(PAUSE_MS)
  }
}
