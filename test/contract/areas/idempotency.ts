import { type Entry, entries, NOT_BUILT } from '../entry.ts'

export const IDEMPOTENCY: Entry[] = [
  ...entries('specification: Limits', [
    ['idempotency.replay', 'Same key and same body: the original job is returned.', NOT_BUILT],
    ['idempotency.replay.header', 'A replay has the header `Idempotent-Replayed: true`.', NOT_BUILT],
    ['idempotency.first.header', 'The first answer has no `Idempotent-Replayed`.', NOT_BUILT],
    ['idempotency.replay.once', 'A replay creates nothing.', NOT_BUILT],
    ['idempotency.other-body', 'Same key and another body: 422 `idempotency_key_reused`.', NOT_BUILT],
    ['idempotency.in-progress', 'Same key while the first request runs: 409 `idempotency_in_progress`.', NOT_BUILT],
    ['idempotency.released.4xx', 'A first request that failed with a 4xx releases the key.', NOT_BUILT],
    ['idempotency.released.5xx', 'A first request that failed with a 5xx releases the key.', NOT_BUILT],
    ['idempotency.reprint', 'A reprint with the same key returns the first job.', NOT_BUILT],
    ['idempotency.key.255', 'A key of 255 characters is accepted.', NOT_BUILT],
    ['idempotency.key.256', 'A key of 256 characters is a 400.', NOT_BUILT],
    ['idempotency.kept.24h', 'A key is known for 24 hours.', NOT_BUILT],
    ['idempotency.kept.longer', 'After 24 hours the same key makes a new job.', NOT_BUILT],
    ['idempotency.optional', 'Without the header each request makes a job.', NOT_BUILT],
  ]),
  ...entries('decisions: Identity and limits', [
    ['idempotency.replay.201', 'A replay answers 201.', NOT_BUILT],
    ['idempotency.replay.present', 'A replay has the job as it is now.', NOT_BUILT],
    ['idempotency.scope.other-key', 'Another API key of the organization and mode shares the keys.', NOT_BUILT],
    ['idempotency.scope.mode', 'The other mode does not share them.', NOT_BUILT],
    ['idempotency.scope.organization', 'Another organization does not share them.', NOT_BUILT],
    ['idempotency.body.canonical', 'Order of fields and white space do not make another body.', NOT_BUILT],
    ['idempotency.other-body.always', 'Another body is a 422 also when the first job is long final.', NOT_BUILT],
    ['idempotency.key.empty', 'An empty key is a 400.', NOT_BUILT],
  ]),
]
