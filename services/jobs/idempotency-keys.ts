/**
 * Times of idempotency keys. A key's row is claimed before the body is read, completed by the statement that creates the job
 * (`create-job-row.ts`), and deleted when the request fails. Each step names the claim by its token, so that a request whose claim
 * another one has taken over can neither create a job nor release the other one's claim.
 */
/**
 * How long a request may take that was never heard of again, because its gateway died. Longer than any that lives: the gateway gives it
 * 120 s to arrive, and then asks other services, 5 s each.
 */
const LEASE_MS = 150_000

export const leaseUntil = (now: Date) => new Date(now.getTime() + LEASE_MS)

/** Keys from then or before count no more. @param keptMs from the first request on (specification, "Limits"). */
export const keptSince = (now: Date, keptMs: number) => new Date(now.getTime() - keptMs)
