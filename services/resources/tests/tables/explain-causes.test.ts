/** What explanations say, in full. Which rule applies is in `explain.test.ts`. */
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { EXAMPLE_NOW, exampleFound } from '../../explain/examples.ts'
import { explain } from '../../explain/explain.ts'
import type { Facts } from '../../explain/facts.ts'
import { toFacts } from '../../explain/to-facts.ts'
import type { JobState } from '../../job-states.ts'

type Changes = NonNullable<Parameters<typeof exampleFound>[1]>

const at = (minutes: number) => new Date(EXAMPLE_NOW.getTime() + minutes * 60_000)

function createFacts(state: JobState, changes: Changes = {}, more: Partial<Facts> = {}): Facts {
  const named = { ...changes, printer: { displayName: 'Label 2', ...changes.printer } }
  const found = exampleFound(state, { ...named, computer: { name: 'Packing-3', ...changes.computer } })
  return { ...toFacts(found, EXAMPLE_NOW), ...more }
}

const queue = (position: number, unacknowledged = 0) => ({
  queue: { position, length: 12, headJobId: 'head', unacknowledged } as unknown as Facts['queue'],
})
const offline = (minutes: number | null) => ({
  computer: { state: 'offline', since: minutes === null ? null : at(minutes) },
})
const printerOffline = (minutes: number) => ({
  printer: { state: 'offline', enabled: true, stateReasons: [], stateDetail: '', since: at(minutes) },
})
const sentAgain = (state: JobState) => {
  const facts = createFacts(state)
  const [created] = facts.events
  return { events: [created, ...Array(2).fill({ ...created, state: 'sent' })] as Facts['events'] }
}
const withReasons = (stateReasons: string[], stateMessage = ''): Changes => ({ job: { stateReasons, stateMessage } })

const kitchen = (
  printers: { name: string; reason?: string; detail?: string; since?: Date }[],
  more: Partial<Facts> = {},
): Facts => ({
  ...createFacts('queued', { job: { destinationId: 'd' } }),
  destination: {
    name: 'kitchen',
    enabled: true,
    printers: printers.map(({ since, ...one }) => ({
      ...{ detail: '', hasTurn: one.reason === undefined, ...one },
      ...(since && { since: timestampFromDate(since) }),
    })),
  } as Facts['destination'],
  ...more,
})

test('the facts of a job that a later printer took say why the earlier ones did not', () => {
  const passed = {
    name: 'Kitchen printer',
    reason: 'printer-waits',
    detail: 'media-empty',
    since: timestampFromDate(at(-5)),
  }
  const facts = createFacts('done', { job: { destinationId: 'd' } })
  const found = { ...facts, ...kitchen([]), job: facts.job, passedPrinters: [passed] as Facts['passedPrinters'] }
  expect(explain(found).facts).toContainEqual({
    name: 'destination',
    value: 'kitchen → Label 2, because Kitchen printer: out of paper, since 2026-03-02 09:37 UTC',
    ref: '/v1/destinations/d',
  })
})

test.each<[cause: string, facts: Facts]>([
  [
    'No printer of destination kitchen may take the job: A is disabled since 2026-03-02 09:37 UTC; B has an offline computer; 1 more.',
    kitchen([
      { name: 'A', reason: 'printer-disabled', since: at(-5) },
      { name: 'B', reason: 'computer-offline' },
      { name: 'C', reason: 'printer-removed' },
    ]),
  ],
  [
    'No printer of destination kitchen may take the job: A: Cover is open, since 2026-03-02 09:37 UTC.',
    kitchen([{ name: 'A', reason: 'printer-waits', detail: 'Cover is open', since: at(-5) }]),
  ],
  ['Destination kitchen has 1 earlier job before this one.', kitchen([{ name: 'A' }], queue(2))],
  [
    'A or B takes the job next, when it has finished the job before.',
    kitchen([{ name: 'A' }, { name: 'B' }], queue(1)),
  ],
  [
    'Destination …tion-1 is disabled or deleted. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('queued', { job: { destinationId: 'destination-1' } }),
  ],
  [
    'The job is not printed before 2026-03-02 10:30 UTC.',
    createFacts('queued', {
      job: { stateReasons: ['scheduled'], notBefore: timestampFromDate(new Date('2026-03-02T10:30:00Z')) },
    }),
  ],
  ['The document is being fetched from its URL.', createFacts('queued', {}, { isFetching: true })],
  [
    'The image is being converted to PDF.',
    createFacts('queued', { job: { contentType: 'image_base64' } }, { isFetching: true }),
  ],
  [
    'Computer Packing-3 no longer reports printer Label 2. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('queued', {}, { printer: undefined }),
  ],
  [
    'Printer Label 2 is disabled. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('queued', { printer: { enabled: false } }),
  ],
  [
    'Computer Packing-3 has been offline for 1 h 30 min. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('queued', {}, offline(-90)),
  ],
  [
    'Computer Packing-3 has been offline. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('queued', {}, offline(0)),
  ],
  [
    'Computer Packing-3 has been offline. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('queued', {}, offline(null)),
  ],
  [
    'Computer Packing-3 has been offline. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('queued', {}, { computer: undefined }),
  ],
  [
    'Computer Packing-3 has been offline for 1 min.',
    createFacts('queued', { job: { expiresAt: undefined } }, offline(-1)),
  ],
  [
    'Printer Label 2 at computer Packing-3 has been offline for 2 min. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('queued', {}, printerOffline(-2)),
  ],
  [
    'The agent on computer Packing-3 did not acknowledge the job, so it is sent again.',
    createFacts('queued', {}, sentAgain('queued')),
  ],
  ['Computer Packing-3 has not acknowledged 8 earlier jobs yet.', createFacts('queued', {}, queue(9, 8))],
  ['Printer Label 2 has 2 earlier jobs before this one.', createFacts('queued', {}, queue(3))],
  ['Printer Label 2 has 1 earlier job before this one.', createFacts('queued', {}, queue(2))],
  ['Printer Label 2 has 12 earlier jobs before this one.', createFacts('queued', {}, queue(0))],
  ['The job is the next one for computer Packing-3, which is online.', createFacts('queued', {}, queue(1))],
  [
    'The agent on computer Packing-3 has not acknowledged the job, which was sent 2 times. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('sent', {}, sentAgain('sent')),
  ],
  [
    'The disk of computer Packing-3 has too little free space. The job expires at 2026-03-03 09:30 UTC.',
    createFacts('sent', { printer: { stateReasons: ['computer-disk-full'] } }),
  ],
  [
    'Computer Packing-3 cannot download the document: HTTP status 502.',
    createFacts('sent', withReasons(['document-not-downloaded'], 'HTTP status 502.')),
  ],
  ['The job is on its way to computer Packing-3.', createFacts('sent')],
  [
    'Computer Packing-3 went offline after it had received the job. Its report follows when it is back.',
    createFacts('received', {}, offline(-1)),
  ],
  [
    'The disk of computer Packing-3 has too little free space. The job ends at 2026-03-03 09:30 UTC.',
    createFacts('received', withReasons(['computer-disk-full'])),
  ],
  [
    'Documents of earlier jobs use the space for documents of computer Packing-3. The job is printed after them.',
    createFacts('received', withReasons(['documents-limit'])),
  ],
  [
    'The print system of computer Packing-3 is not ready for the job: CUPS does not take the job at the moment: Quota limit reached.',
    createFacts(
      'received',
      withReasons(['spooler-not-ready'], 'CUPS does not take the job at the moment: Quota limit reached.'),
    ),
  ],
  [
    'Printer Label 2 is stopped, switched off or cannot be reached from computer Packing-3. The job ends at 2026-03-03 09:30 UTC.',
    createFacts('received', withReasons(['timed-out'])),
  ],
  [
    'Printer Label 2 needs attention: Open tray 2.',
    createFacts('received', withReasons(['media-jam'], 'Open tray 2.')),
  ],
  [
    `Printer Label 2 needs attention: ${'Open tray. '.repeat(8)}O…`,
    createFacts('received', withReasons(['media-jam'], 'Open tray. '.repeat(9))),
  ],
  [
    'Printer Label 2 needs attention: media-jam, cover-open.',
    createFacts('received', withReasons(['media-jam', 'cover-open'])),
  ],
  ['Computer Packing-3 has the job. Printer Label 2 has 3 earlier jobs.', createFacts('received', {}, queue(4))],
  ['Computer Packing-3 has the job. Printer Label 2 has 12 earlier jobs.', createFacts('received', {}, queue(0))],
  ['Computer Packing-3 has the job and hands it to printer Label 2.', createFacts('received', {}, { now: at(-11.5) })],
  [
    'Computer Packing-3 has the job, but printer Label 2 has not begun it. Its queue may have jobs of other programs.',
    createFacts('received'),
  ],
  [
    'The queue of printer Label 2 on computer Packing-3 is paused. The job ends at 2026-03-02 09:45 UTC.',
    createFacts('printing', withReasons(['paused'])),
  ],
  [
    'Printer Label 2 needs attention: Add paper.',
    createFacts('printing', { printer: { stateReasons: ['media-empty'], stateDetail: 'Add paper.' } }),
  ],
  [
    'Printer Label 2 has been printing for more than 5 minutes. The job ends at 2026-03-02 09:45 UTC.',
    createFacts('printing'),
  ],
  ['Printer Label 2 at computer Packing-3 is printing the job.', createFacts('printing', {}, { now: at(-8) })],
  ['Computer Packing-3 reported that printer Label 2 has printed the job.', createFacts('done')],
  [
    'Printer Label 2 itself has confirmed that the job is on paper.',
    createFacts('done', { job: { confirmedBy: 'printer' } }),
  ],
  [
    'Computer Packing-3 has finished the job. Printer Label 2 does not say itself whether it is on paper.',
    createFacts('done', { job: { confirmedBy: 'spooler' } }),
  ],
  [
    'The virtual printer Label 2 printed the job. Test mode uses no paper.',
    createFacts('done', { job: { mode: 'test' } }),
  ],
  [
    'Printer Label 2 printed the job without the options `bin`, `media`.',
    createFacts(
      'done',
      withReasons(
        ['option-ignored'],
        'Ignored options: bin `Tray 99` (this printer offers `Main tray`, `Manual feed`); media `gloss` (not offered by this printer).',
      ),
    ),
  ],
  [
    'Printer Label 2 did not finish the job in time: out of paper. It may still hold the rest, and print it when it is repaired.',
    createFacts('error', withReasons(['spooler-timeout', 'media-empty'], 'spooler timeout')),
  ],
  [
    'Printer Label 2 did not finish the job in time, so computer Packing-3 was told to remove it.',
    createFacts('error', withReasons(['spooler-timeout'], 'spooler timeout')),
  ],
  ['The job ended with an error: of-later.', createFacts('error', withReasons(['of-later']))],
  ['The job ended with an error: Code 7.', createFacts('error', withReasons(['of-later'], 'Code 7.'))],
  ['The job ended with an error: no reason was reported.', createFacts('error', withReasons([]))],
  [
    'The job was cancelled by a request with an API key before computer Packing-3 received it.',
    createFacts('cancelled'),
  ],
  [
    'The job expired before it was printed. It waited for its document, which was not fetched or converted.',
    createFacts('expired', {}, { isFetching: true }),
  ],
  [
    'The job expired before it was printed. It waited for printer Label 2, which computer Packing-3 no longer reported.',
    createFacts('expired', {}, { printer: undefined }),
  ],
  [
    'The job expired before it was printed. It waited for computer Packing-3, which could not download the document.',
    createFacts('expired', withReasons(['document-not-downloaded'], 'HTTP status 502.')),
  ],
  [
    'The job expired before it was printed. It waited for computer Packing-3, which was busy with earlier jobs.',
    createFacts('expired', {}, queue(9, 8)),
  ],
  [
    'The job expired before it was printed. It waited for earlier jobs of printer Label 2.',
    createFacts('expired', {}, queue(3)),
  ],
  ['The job expired before it was printed. It waited for computer Packing-3.', createFacts('expired', {}, queue(1))],
])('an explanation says: %s', (cause, facts) => expect(explain(facts).cause).toBe(cause))

test.each(['shutdown', 'timed-out', 'deactivated', 'spooling-disabled'])(
  'a printer with the reason %s cannot be reached',
  (reason) => expect(explain(createFacts('received', withReasons([reason]))).code).toBe('printer-offline'),
)

test.each<[facts: Facts, minutes: number | null]>([
  [createFacts('queued', {}, offline(-90)), -90],
  [createFacts('queued', {}, offline(null)), null],
  [createFacts('received', {}, offline(-3)), -3],
  [createFacts('received', {}, { computer: undefined }), null],
  [createFacts('queued', {}, printerOffline(-2)), -2],
  [createFacts('printing', {}, printerOffline(-4)), -4],
])('case %#: the cause exists since the printer or computer is offline', (facts, minutes) =>
  expect(explain(facts).since).toEqual(minutes === null ? null : at(minutes)),
)

test('the next step of a paused queue names the command, and the queue as its operating system does', () => {
  const { actions } = explain(createFacts('printing', { ...withReasons(['paused']), printer: { osName: 'Label_4x6' } }))
  expect(actions[0]?.text).toBe(
    'Resume queue Label_4x6 in the printer settings of computer Packing-3, or by `cupsenable Label_4x6` on Linux and macOS.',
  )
})

test('a warning about options is no reason why a printer waits', () => {
  expect(explain(createFacts('received', withReasons(['option-ignored']))).code).toBe('at-computer-long')
})

test('a job is printing for long after more than 5 minutes', () => {
  const { job } = createFacts('printing')
  const started = timestampDate(job.printingAt ?? expect.fail()).getTime()
  const code = (ms: number) => explain(createFacts('printing', {}, { now: new Date(started + ms) })).code
  expect([code(300_000), code(300_001)]).toEqual(['printing', 'printing-long'])
})

test.each([
  ['user', 'by a user of the dashboard'],
  ['system', 'by the service'],
])('a job that %s cancelled was cancelled %s', (actor, by) => {
  const { events, ...facts } = createFacts('cancelled')
  const cancelled = { ...facts, events: events.map((event) => ({ ...event, actor })) }
  expect(explain(cancelled).cause).toContain(`The job was cancelled ${by} before`)
})
