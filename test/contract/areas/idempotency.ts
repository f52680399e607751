import { type Entry, entries } from '../entry.ts'
import { idempotency, KEY_IN_USE, KEY_REUSED, REPLAYED, withoutUpload } from '../named-tests.ts'

const same = (rule: string) => idempotency(`the same key > ${rule}`)
const released = (by: string) => idempotency(`a first request that fails releases its key > with a ${by}`)
const header = (rule: string) => idempotency(`the header > ${rule}`)

const PRESENT = same('answers with the job as it is now, also to another API key, and does not print it again')
const OTHER_TENANT = same('in the other mode or in another organization is another key')
const KEPT = same('is known for 24 hours, and then makes a new job')
const refusedWhen = (fault: string) => header(`is a 400, and no job is made, when it ${fault}`)

export const IDEMPOTENCY: Entry[] = [
  ...entries('specification: Limits', [
    ['idempotency.replay', 'Same key and same body: the original job is returned.', REPLAYED],
    ['idempotency.replay.header', 'A replay has the header `Idempotent-Replayed: true`.', REPLAYED],
    ['idempotency.first.header', 'The first answer has no `Idempotent-Replayed`.', REPLAYED],
    ['idempotency.replay.once', 'A replay creates nothing.', REPLAYED, same('at once from 50 clients makes one job')],
    ['idempotency.other-body', 'Same key and another body: 422 `idempotency_key_reused`.', ...KEY_REUSED],
    ['idempotency.in-progress', 'Same key while the first request runs: 409 `idempotency_in_progress`.', KEY_IN_USE],
    [
      'idempotency.released.4xx',
      'A first request that failed with a 4xx releases the key.',
      released('4xx: a wrong field'),
      released('4xx: an unknown printer'),
      released('4xx: a document that is too large'),
      released('4xx: a document that is no PDF'),
    ],
    [
      'idempotency.released.5xx',
      'A first request that failed with a 5xx releases the key.',
      released('5xx: the file store is away'),
      released('5xx: another service is away'),
    ],
    [
      'idempotency.reprint',
      'A reprint with the same key returns the first job.',
      withoutUpload('with an Idempotency-Key makes one job, and is replayed: > a reprint'),
    ],
    ['idempotency.key.255', 'A key of 255 characters is accepted.', header('may have 255 characters')],
    ['idempotency.key.256', 'A key of 256 characters is a 400.', refusedWhen('has 256 characters')],
    ['idempotency.kept.24h', 'A key is known for 24 hours.', KEPT],
    ['idempotency.kept.longer', 'After 24 hours the same key makes a new job.', KEPT],
    [
      'idempotency.optional',
      'Without the header each request makes a job.',
      same('without the header each request makes a job'),
    ],
  ]),
  ...entries('decisions: Identity and limits', [
    ['idempotency.replay.201', 'A replay answers 201.', REPLAYED],
    ['idempotency.replay.present', 'A replay has the job as it is now.', PRESENT],
    ['idempotency.scope.other-key', 'Another API key of the organization and mode shares the keys.', PRESENT],
    ['idempotency.scope.mode', 'The other mode does not share them.', OTHER_TENANT],
    ['idempotency.scope.organization', 'Another organization does not share them.', OTHER_TENANT],
    [
      'idempotency.body.canonical',
      'Order of fields and white space do not make another body.',
      same('with the same body in another order, other white space and other escapes is a replay'),
    ],
    ['idempotency.other-body.always', 'Another body is a 422 also when the first job is long final.', ...KEY_REUSED],
    ['idempotency.key.empty', 'An empty key is a 400.', refusedWhen('is empty')],
  ]),
]
