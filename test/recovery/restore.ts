/**
 * `npm run test:long -- restore`: shows what is lost and what is not when PostgreSQL is restored to an earlier moment,
 * and when a standby that lacks the last transactions is promoted. Exits with 1 if a fact does not hold.
 */
import { createChecks } from '../harness/checks.ts'
import { promoteStandby } from './promote-standby.ts'
import { restoreToPoint } from './restore-to-point.ts'

const checks = createChecks()
console.log('restore to a point in time')
await restoreToPoint(checks)
console.log('promotion of a standby that lacks the last transactions')
await promoteStandby(checks)
process.exit(checks.end())
