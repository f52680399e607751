/** Bugs of the webhooks service, for `bugs.ts`. */
import type { PlantedBug } from './planted-bug.ts'

export const WEBHOOK_BUGS: PlantedBug[] = [
  {
    name: 'id-of-the-attempt',
    wrong: 'Each attempt of a delivery has a `webhook-id` of its own.',
    edits: [
      {
        file: 'services/webhooks/delivery/send.ts',
        find: `'webhook-id': eventId,`,
        replace: `'webhook-id': crypto.randomUUID(),`,
      },
    ],
    noticedBy: ['S10'],
  },
  {
    name: 'modes-mixed',
    wrong: 'An endpoint hears of its organization, whichever the mode is.',
    edits: [
      {
        file: 'services/webhooks/events/record-events.ts',
        find: 'FROM recorded JOIN webhooks.endpoint USING (organization_id, mode)',
        replace: 'FROM recorded JOIN webhooks.endpoint USING (organization_id)',
      },
    ],
    noticedBy: ['S10'],
  },
  {
    name: 'retried-at-once',
    wrong: 'The gap before the next attempt is counted in tenths.',
    edits: [
      {
        file: 'services/webhooks/delivery/worker.ts',
        find: 'new Date(outcome.endedAt.getTime() + gapMs)',
        replace: 'new Date(outcome.endedAt.getTime() + gapMs / 10)',
      },
    ],
    noticedBy: ['S11'],
  },
  {
    name: 'published-without-lease',
    wrong: 'An attempt that was published counts as made: what NATS loses is never due again.',
    edits: [
      {
        file: 'services/webhooks/delivery/take-due.ts',
        find: 'due_at = coalesce(resting.until, $3)',
        replace: `due_at = coalesce(resting.until, $3::timestamptz + interval '1 year')`,
      },
    ],
    noticedBy: ['L3', 'S11'],
  },
  {
    name: 'listed-after-confirmed',
    wrong: 'A change is confirmed when it is heard, and recorded with the next batch, some seconds later.',
    edits: [
      {
        file: 'services/webhooks/events/consume-changes.ts',
        find: 'if (event) await record(event)',
        replace: 'if (event) record(event).catch(() => undefined)',
      },
      {
        file: 'services/webhooks/events/consume-changes.ts',
        find: 'const REST_MS = 25',
        replace: 'const REST_MS = 3_000',
      },
    ],
    noticedBy: ['L3'],
  },
]
