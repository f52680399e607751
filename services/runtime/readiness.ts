/** Readiness of a process for probes. Reference: https://kubernetes.io/docs/concepts/workloads/pods/probes/ */

export interface Readiness {
  /** Adds a condition. @param check throws while it is not met. */
  require(check: () => Promise<unknown>): void
  /** @throws while a condition is not met, or the process stops. */
  check(): Promise<void>
}

export function createReadiness(stopping: AbortSignal): Readiness {
  const checks: (() => Promise<unknown>)[] = []
  return {
    require: (check) => void checks.push(check),
    async check() {
      stopping.throwIfAborted()
      await Promise.all(checks.map((check) => check()))
    },
  }
}
