import { readFileSync } from 'node:fs'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { proves } from '@platen/test/harness/rules.ts'
import { describe, expect, test } from 'vitest'
import { EXAMPLE_IDS } from '../../example-of.ts'
import { EXAMPLE_NOW, exampleFound } from '../../explain/examples.ts'
import { explain, RULES, WAITING_CODES } from '../../explain/explain.ts'
import type { Facts, Found } from '../../explain/facts.ts'
import type { Paper } from '../../explain/rule.ts'
import { toDuration } from '../../explain/texts.ts'
import { shorten, toFacts } from '../../explain/to-facts.ts'
import type { JobState } from '../../job-states.ts'
import { NEXT_STEPS } from '../../next-steps.ts'
import { END_REASONS, STATE_REASONS } from '../../state-reasons.ts'

const STATES = Object.keys(RULES) as JobState[]
type Changes = NonNullable<Parameters<typeof exampleFound>[1]>

const OFFLINE = { printer: { state: 'unknown' }, computer: { state: 'offline' } }
const UNAUTHORIZED = { ...OFFLINE, computer: { state: 'offline', unauthorizedAt: timestampFromDate(EXAMPLE_NOW) } }

const createFacts = (state: JobState, changes?: Changes, more: Partial<Facts> = {}): Facts => ({
  ...toFacts(exampleFound(state, changes), EXAMPLE_NOW),
  ...more,
})

const reasons = (...stateReasons: string[]) => ({ job: { stateReasons, stateMessage: 'Tray 1 is empty.' } })
const queue = (position: number, unacknowledged = 0, batch = {}) => ({
  queue: { position, length: 12, headJobId: 'head', unacknowledged, batchBefore: 0, batchBegun: false, ...batch },
})
/** Events after the creation. */
const withEvents = (facts: Facts, ...states: JobState[]): Facts => ({
  ...facts,
  events: [...facts.events.slice(0, 1), ...states.map((state) => ({ ...facts.events[0], state }))] as Facts['events'],
})
const diskFull = { printer: { stateReasons: ['computer-disk-full'] } }
/** A job that waits for a printer of its destination. @param reasons of its printers; undefined: it has the turn. */
const atDestination = (reasons: (string | undefined)[], more: Partial<Facts> = {}) => {
  const printers = reasons.map((reason, n) => ({ name: `P${n}`, reason, detail: '', hasTurn: reason === undefined }))
  const destination = { name: 'kitchen', enabled: true, printers } as Facts['destination']
  return createFacts(
    'queued',
    { ...OFFLINE, job: { destinationId: EXAMPLE_IDS.destination } },
    { destination, ...more },
  )
}
const notDownloaded = { job: { stateReasons: ['document-not-downloaded'], stateMessage: 'HTTP status 502.' } }
const late = { now: new Date(EXAMPLE_NOW.getTime() + 60_000) }

/** One case for each rule. */
const CASES: [state: JobState, code: string, paper: Paper, steps: string, facts: Facts][] = [
  ['queued', 'fetching-document', 'not_yet', 'wait', createFacts('queued', OFFLINE, { isFetching: true })],
  ['queued', 'held', 'not_yet', 'release wait', createFacts('queued', { job: { stateReasons: ['held'] } })],
  ['queued', 'scheduled', 'not_yet', 'wait', createFacts('queued', { job: { stateReasons: ['scheduled'] } })],
  [
    'queued',
    'destination-unavailable',
    'not_yet',
    'check_printer change_destination print_elsewhere',
    atDestination(['computer-offline', 'printer-waits']),
  ],
  ['queued', 'waits-for-destination', 'not_yet', 'wait', atDestination(['printer-offline', undefined], queue(1))],
  [
    'queued',
    'printer-removed',
    'not_yet',
    'check_queue print_elsewhere',
    createFacts('queued', OFFLINE, { printer: undefined }),
  ],
  [
    'queued',
    'computer-paused',
    'not_yet',
    'resume_computer print_elsewhere',
    createFacts('queued', { ...OFFLINE, computer: { state: 'offline', pausedAt: timestampFromDate(EXAMPLE_NOW) } }),
  ],
  [
    'queued',
    'printer-disabled',
    'not_yet',
    'enable_printer print_elsewhere',
    createFacts('queued', { ...OFFLINE, printer: { enabled: false } }),
  ],
  ['queued', 'computer-unauthorized', 'not_yet', 'enrol_again print_elsewhere', createFacts('queued', UNAUTHORIZED)],
  [
    'queued',
    'computer-offline',
    'not_yet',
    'start_computer run_doctor print_elsewhere',
    createFacts('queued', OFFLINE),
  ],
  [
    'queued',
    'printer-offline',
    'not_yet',
    'check_printer print_elsewhere',
    createFacts('queued', { printer: { state: 'offline' } }),
  ],
  ['queued', 'computer-disk-full', 'not_yet', 'free_space print_elsewhere', createFacts('queued', diskFull)],
  [
    'queued',
    'document-not-downloaded',
    'not_yet',
    'run_doctor check_agent print_elsewhere',
    withEvents(createFacts('queued', notDownloaded), 'sent', 'queued'),
  ],
  [
    'queued',
    'not-acknowledged',
    'not_yet',
    'check_agent run_doctor print_elsewhere',
    withEvents(createFacts('queued'), 'sent', 'queued'),
  ],
  ['queued', 'agent-window-full', 'not_yet', 'open_job check_agent', createFacts('queued', {}, queue(3, 8))],
  ['queued', 'waits-for-batch', 'not_yet', 'open_job wait', createFacts('queued', {}, queue(3, 7, { batchBefore: 1 }))],
  ['queued', 'behind-other-jobs', 'not_yet', 'open_job wait', createFacts('queued', {}, queue(3, 7))],
  ['queued', 'ready', 'not_yet', 'wait', createFacts('queued', {}, queue(1))],
  ['sent', 'computer-unauthorized', 'not_yet', 'enrol_again print_elsewhere', createFacts('sent', UNAUTHORIZED)],
  ['sent', 'computer-offline', 'not_yet', 'start_computer run_doctor print_elsewhere', createFacts('sent', OFFLINE)],
  ['sent', 'computer-disk-full', 'not_yet', 'free_space print_elsewhere', createFacts('sent', diskFull)],
  [
    'sent',
    'document-not-downloaded',
    'not_yet',
    'run_doctor check_agent print_elsewhere',
    withEvents(createFacts('sent', notDownloaded), 'sent', 'sent'),
  ],
  [
    'sent',
    'not-acknowledged',
    'not_yet',
    'check_agent run_doctor print_elsewhere',
    withEvents(createFacts('sent'), 'sent', 'sent'),
  ],
  ['sent', 'on-its-way', 'not_yet', 'wait', createFacts('sent')],
  ['received', 'computer-offline', 'maybe', 'check_paper start_computer run_doctor', createFacts('received', OFFLINE)],
  [
    'received',
    'computer-disk-full',
    'not_yet',
    'free_space print_elsewhere',
    createFacts('received', reasons('computer-disk-full')),
  ],
  [
    'received',
    'document-not-downloaded',
    'not_yet',
    'run_doctor check_agent print_elsewhere',
    createFacts('received', notDownloaded),
  ],
  ['received', 'documents-limit', 'not_yet', 'wait', createFacts('received', reasons('documents-limit'))],
  [
    'received',
    'spooler-not-ready',
    'not_yet',
    'check_queue print_elsewhere',
    createFacts('received', reasons('spooler-not-ready')),
  ],
  [
    'received',
    'queue-paused',
    'not_yet',
    'resume_queue print_elsewhere',
    createFacts('received', { printer: { state: 'offline', stateReasons: ['paused'] } }),
  ],
  [
    'received',
    'printer-offline',
    'not_yet',
    'check_printer print_elsewhere',
    createFacts('received', reasons('offline')),
  ],
  ['received', 'printer-waits', 'not_yet', 'check_printer', createFacts('received', reasons('media-jam'))],
  ['received', 'in-spooler-queue', 'not_yet', 'open_job wait', createFacts('received', {}, queue(2))],
  ['received', 'at-computer-long', 'not_yet', 'check_queue check_printer wait', createFacts('received')],
  [
    'received',
    'at-computer',
    'not_yet',
    'wait',
    createFacts('received', {}, { now: new Date(EXAMPLE_NOW.getTime() - 11.5 * 60_000) }),
  ],
  ['printing', 'computer-offline', 'maybe', 'check_paper start_computer run_doctor', createFacts('printing', OFFLINE)],
  [
    'printing',
    'computer-disk-full',
    'printing',
    'free_space print_elsewhere',
    createFacts('printing', reasons('computer-disk-full')),
  ],
  [
    'printing',
    'document-not-downloaded',
    'printing',
    'run_doctor check_agent print_elsewhere',
    createFacts('printing', notDownloaded),
  ],
  ['printing', 'documents-limit', 'printing', 'wait', createFacts('printing', reasons('documents-limit'))],
  [
    'printing',
    'spooler-not-ready',
    'printing',
    'check_queue print_elsewhere',
    createFacts('printing', reasons('spooler-not-ready')),
  ],
  ['printing', 'queue-paused', 'printing', 'resume_queue print_elsewhere', createFacts('printing', reasons('paused'))],
  [
    'printing',
    'printer-offline',
    'printing',
    'check_printer print_elsewhere',
    createFacts('printing', { printer: { state: 'offline' } }),
  ],
  [
    'printing',
    'printer-waits',
    'printing',
    'check_printer',
    createFacts('printing', { printer: { stateReasons: ['media-empty'] } }),
  ],
  ['printing', 'printing-long', 'printing', 'check_printer wait', createFacts('printing')],
  [
    'printing',
    'printing',
    'printing',
    'wait',
    createFacts('printing', {}, { now: new Date(EXAMPLE_NOW.getTime() - 8 * 60_000) }),
  ],
  [
    'done',
    'done-unconfirmed',
    'maybe',
    'check_paper print_again',
    createFacts('done', reasons('completion-unconfirmed', 'option-ignored')),
  ],
  [
    'done',
    'done-font-not-embedded',
    'printed',
    'check_paper check_document',
    createFacts('done', reasons('font-not-embedded', 'option-ignored')),
  ],
  [
    'done',
    'done-content-outside-page',
    'printed',
    'check_paper check_document',
    createFacts('done', reasons('content-outside-page')),
  ],
  [
    'done',
    'done-layers-uncertain',
    'printed',
    'check_paper check_document',
    createFacts('done', reasons('layers-uncertain')),
  ],
  ['done', 'done-page-scaled', 'printed', 'check_paper check_document', createFacts('done', reasons('page-scaled'))],
  ['done', 'done-options-ignored', 'printed', 'check_trays', createFacts('done', reasons('option-ignored'))],
  ['done', 'done', 'printed', 'check_trays', createFacts('done')],
  ...STATE_REASONS.filter(({ states }) => states.includes('error')).map(
    ({ keywords: [keyword = ''], paper, nextSteps }): (typeof CASES)[number] => [
      'error',
      keyword,
      paper === 'none' ? 'none' : 'maybe',
      (paper === 'none-before-printing' ? ['check_paper', ...nextSteps] : nextSteps).join(' '),
      createFacts('error', reasons(keyword)),
    ],
  ),
  ['error', 'unknown-reason', 'maybe', 'check_paper print_again', createFacts('error', reasons('of-a-later-version'))],
  ['cancelled', 'computer-deleted', 'none', 'print_elsewhere', createFacts('cancelled', reasons('computer-deleted'))],
  ['cancelled', 'purged', 'none', 'print_again', createFacts('cancelled', reasons('purged'))],
  ['cancelled', 'cancelled-by', 'none', 'print_again', createFacts('cancelled')],
  ['expired', 'expired-waiting', 'none', 'print_again print_elsewhere', createFacts('expired')],
]

test.each(CASES)('a job in %s is explained by %s: paper is %s, next steps are %s', (_, code, paper, steps, facts) => {
  const explanation = explain(facts)
  expect([explanation.code, explanation.paper, explanation.actions.map(({ kind }) => kind).join(' ')]).toEqual([
    code,
    paper,
    steps,
  ])
})

const ON_SITE =
  /start_computer|enrol_again|run_doctor|check_agent|free_space|check_printer|check_queue|resume_queue|check_paper|check_trays|set_language/

test.each(CASES)(
  'a test job in %s that is explained by %s sends nobody to a computer or a printer',
  (...[state, , paper, , facts]) => {
    proves('explanation.test-mode')
    const { headline, cause, actions } = explain({ ...facts, job: { ...facts.job, mode: 'test' } })
    expect(actions.map(({ kind }) => kind).join(' ')).not.toMatch(ON_SITE)
    if (['queued', 'sent', 'received', 'printing'].includes(state)) expect(actions.length).toBeGreaterThan(0)
    expect([headline.includes('unknown'), cause.includes('Test mode has no paper')]).toEqual(
      paper === 'maybe' ? [true, true] : [false, false],
    )
  },
)

test('a document in the language of a printer is not drawn, so its refusal leads to no language', () => {
  const facts = reasons('document-format-not-supported')
  const kinds = (contentType: string) =>
    explain(createFacts('error', { job: { ...facts.job, contentType } })).actions.map(({ kind }) => kind)
  expect(kinds('pdf_base64')).toContain('set_language')
  expect(kinds('raw_uri')).toEqual(['check_document', 'print_elsewhere'])
})

test('a job that the agent had received before it was refused leads to the enrolment of its computer', () => {
  const { code, actions } = explain(createFacts('received', UNAUTHORIZED))
  expect([code, actions.map(({ kind }) => kind)]).toEqual(['computer-offline', ['check_paper', 'enrol_again']])
})

test('a job that waits for a batch is told whose', () => {
  const explainQueue = (position: number, batch: object) =>
    explain(createFacts('queued', {}, queue(position, 0, batch)))
  expect(explainQueue(1, { batchBegun: true })).toMatchObject({
    code: 'waits-for-batch',
    cause: expect.stringContaining('is printing a batch'),
  })
  expect(explainQueue(3, { batchBefore: 2 }).cause).toContain('2 earlier jobs of the batch have not ended')
  expect(explainQueue(2, { batchBefore: 1 }).cause).toContain('1 earlier job of the batch has not ended')
})

test('each rule has a case, and no two rules of a state have the same code', () => {
  const rules = STATES.flatMap((state) => RULES[state].map(({ code }) => `${state} ${code}`))
  expect(CASES.map(([state, code]) => `${state} ${code}`)).toEqual(rules)
  expect(new Set(rules).size).toBe(rules.length)
})

const VARIANTS: Changes[] = [{}, OFFLINE, { printer: { enabled: false } }, { printer: { state: 'offline' } }]

const KEYWORDS = [...STATE_REASONS.flatMap(({ keywords }) => keywords), 'of-a-later-version']

test.each(STATES)(
  'a job in %s with any reason has an explanation of at most two lines, whatever its names and its message',
  (state) => {
    proves('explanation.every')
    const long = 'Äußerst langer Name '.repeat(12)
    const stateMessage = 'Something failed. '.repeat(100)
    for (const stateReasons of [...KEYWORDS.map((keyword) => [keyword]), [], ['option-ignored', 'media-empty']])
      for (const changes of VARIANTS) {
        const found = exampleFound(state, {
          printer: { ...changes.printer, displayName: long },
          computer: { ...changes.computer, name: long },
          job: { stateReasons, stateMessage },
        })
        const { code, headline, cause, actions } = explain(toFacts(found, EXAMPLE_NOW))
        expect(code).toMatch(/^[a-z-]+$/)
        expect(headline).toMatch(/^\w.{5,40}$/)
        expect(cause.length, cause).toBeLessThanOrEqual(200)
        for (const text of [cause, ...actions.map((action) => action.text)]) expect(text).toMatch(/^[^{}\n]+[.…!?]$/)
        expect(actions.length).toBeGreaterThan(0)
      }
  },
)

describe('paper', () => {
  test('is never denied while a reason can mean paper, whatever other reasons say', () => {
    proves('explanation.paper.maybe')
    for (const reason of END_REASONS)
      for (const other of ['unconfirmed', 'of-a-later-version'])
        for (const pair of [
          [reason, other],
          [other, reason],
        ]) {
          const { paper, actions } = explain(createFacts('error', reasons(...pair)))
          expect([paper, actions[0]?.kind], `${pair}`).toEqual(['maybe', 'check_paper'])
        }
  })

  test('a damaged document has left none unless the job was printing', () => {
    const { job } = reasons('document-format-error')
    expect(explain(createFacts('error', { states: ['queued'], job })).paper).toBe('none')
    expect(explain(createFacts('error', { job })).paper).toBe('maybe')
  })
})

describe('an explanation', () => {
  test('has the time since when the cause exists and the time when it ends at the latest', () => {
    const found = exampleFound('queued', { ...OFFLINE })
    const timestamp = '2026-03-02T09:11:00.000Z'
    const { computerId, expiresAt } = found.details.job ?? expect.fail()
    const seen: Found = {
      ...found,
      deviceEvents: [
        { type: 'computer.online', timestamp: '2026-03-02T08:00:00.000Z', data: { id: computerId, state: 'online' } },
        { type: 'computer.offline', timestamp, data: { id: computerId, state: 'offline' } },
      ],
    }
    const { since, until, cause } = explain(toFacts(seen, EXAMPLE_NOW))
    expect(since).toEqual(new Date(timestamp))
    expect(until).toEqual(expiresAt && timestampDate(expiresAt))
    expect(cause).toBe('Computer Back office has been offline for 31 min. The job expires at 2026-03-03 09:30 UTC.')
    const printing = createFacts('printing', reasons('media-empty'))
    expect(explain(printing).until).toEqual(printing.printingUntil)
  })

  test.each([
    ['image_base64', 'The image is being converted to PDF.'],
    ['image_uri', 'The image is being fetched from its URL and converted to PDF.'],
    ['pdf_uri', 'The document is being fetched from its URL.'],
  ])('of a job with %s that is fetched says what happens, since its creation', (contentType, cause) => {
    const facts = createFacts('queued', { job: { contentType } }, { isFetching: true })
    const createdAt = facts.job.createdAt && timestampDate(facts.job.createdAt)
    expect(explain(facts)).toMatchObject({ cause: expect.stringContaining(cause), since: createdAt })
  })

  test('of a held job has the time since when it waits', () => {
    const held = createFacts('queued', { job: { stateReasons: ['held'] } })
    expect(explain(held).since).toEqual(held.job.createdAt && timestampDate(held.job.createdAt))
  })

  test.each([
    ['unauthorizedAt', 'computer-unauthorized'],
    ['pausedAt', 'computer-paused'],
  ])('of an expired job does not blame what began after it ended: %s', (field, code) => {
    const { finishedAt } = exampleFound('expired').details.job ?? expect.fail()
    const endedAt = finishedAt ? timestampDate(finishedAt) : expect.fail()
    const waitedFor = (at: Date) =>
      explain(createFacts('expired', { ...OFFLINE, computer: { state: 'offline', [field]: timestampFromDate(at) } }))
        .cause
    const after = waitedFor(new Date(endedAt.getTime() + 1))
    expect(after).toBe(explain(createFacts('expired', OFFLINE)).cause)
    expect(waitedFor(endedAt), code).not.toBe(after)
  })

  test('of an expired job says what it waited for when it expired, not what is so now', () => {
    const found = exampleFound('expired')
    const { printerId, computerId } = found.details.job ?? expect.fail()
    const timestamp = '2026-03-02T09:11:00.000Z'
    const explainWith = (id: string, data: object) =>
      explain(toFacts({ ...found, deviceEvents: [{ type: 'x', timestamp, data: { id, ...data } }] }, EXAMPLE_NOW)).cause
    expect(explainWith(computerId, { state: 'offline' })).toMatch(
      /It waited for computer Back office, which was offline\.$/,
    )
    expect(explainWith(printerId, { enabled: false, state: 'online' })).toMatch(
      /It waited for printer Back office, which was disabled\.$/,
    )
    expect(explainWith(printerId, { enabled: true, state: 'offline' })).toMatch(/which was offline\.$/)
    const full = { enabled: true, state: 'online', stateReasons: ['computer-disk-full'] }
    expect(explainWith(printerId, full)).toMatch(/It waited for computer Back office, whose disk was full\.$/)
    const sent = withEvents(createFacts('expired'), 'sent', 'expired')
    expect(explain(sent).cause).toMatch(/It waited for the agent on computer Back office/)
  })

  test.each<[title: string, shown: string, events: [type: string, state: string][]]>([
    [
      'was added while its computer was offline',
      'online',
      [
        ['printer.added', 'unknown'],
        ['computer.online', 'online'],
      ],
    ],
    [
      'lost its computer',
      'unknown',
      [
        ['printer.online', 'online'],
        ['computer.offline', 'offline'],
      ],
    ],
    [
      'was changed while its computer was offline',
      'offline',
      [
        ['printer.offline', 'offline'],
        ['printer.updated', 'unknown'],
        ['computer.online', 'online'],
      ],
    ],
  ])(
    'of an ended job shows the state of its printer by the events of the computer as well: it %s',
    (_, shown, events) => {
      proves('event.computer.printer-state')
      const found = exampleFound('done')
      const { printerId, computerId } = found.details.job ?? expect.fail()
      const deviceEvents = events.map(([type, state], n) => ({
        type,
        timestamp: new Date(EXAMPLE_NOW.getTime() - 3_600_000 + n).toISOString(),
        data: { id: type.startsWith('printer') ? printerId : computerId, state },
      }))
      const { facts } = explain(toFacts({ ...found, deviceEvents }, EXAMPLE_NOW))
      expect(facts.find(({ name }) => name === 'printer')?.value).toBe(`Back office: enabled, ${shown}`)
    },
  )

  test('of a waiting job names the full disk of its computer, unless the job has a reason of its own or prints', () => {
    proves('explanation.computer-disk-full')
    const codes = [
      createFacts('queued', diskFull),
      createFacts('sent', diskFull),
      createFacts('received', diskFull),
      createFacts('received', { ...diskFull, ...reasons('media-jam') }),
      createFacts('printing', diskFull),
    ].map((facts) => explain(facts).code)
    const full = 'computer-disk-full'
    expect(codes).toEqual([full, full, full, 'printer-waits', 'printing-long'])
  })

  test('offers to print again only while the document is stored', () => {
    const kinds = (documentKeptUntil: Date | undefined) =>
      explain(createFacts('expired', {}, { documentKeptUntil, ...late })).actions.map(({ kind }) => kind)
    expect(kinds(new Date(late.now.getTime() + 1))).toEqual(['print_again', 'print_elsewhere'])
    expect(kinds(late.now)).toEqual(['send_again', 'print_elsewhere'])
    expect(kinds(undefined)).toEqual(['send_again', 'print_elsewhere'])
  })

  test('names what an action is about', () => {
    const { job } = createFacts('queued')
    const behind = explain(createFacts('queued', {}, queue(3))).actions
    expect(behind[0]).toMatchObject({ kind: 'open_job', jobId: 'head' })
    const offline = explain(createFacts('queued', OFFLINE)).actions
    expect(offline[0]).toEqual({
      kind: 'start_computer',
      text: 'Switch computer Back office on and check its network.',
      computerId: job.computerId,
    })
    expect(offline[2]).toMatchObject({ kind: 'print_elsewhere', jobId: job.id })
    const disabled = explain(createFacts('queued', { printer: { enabled: false } })).actions
    expect(disabled[0]).toMatchObject({ printerId: job.printerId })
  })

  test('says how often an unacknowledged job was sent since it was queued', () => {
    const cause = (...states: JobState[]) => explain(withEvents(createFacts('sent'), ...states)).cause
    expect(cause('sent', 'sent', 'sent')).toMatch(/was sent 3 times/)
    expect(cause('sent', 'sent', 'sent', 'sent', 'queued', 'sent', 'sent')).toMatch(/was sent 2 times/)
  })
})

test('every next step is offered by a rule', () => {
  const deleted = createFacts('queued', { job: { destinationId: EXAMPLE_IDS.destination } })
  const all = [...CASES.map(([, , , , facts]) => facts), deleted]
  const offered = new Set(all.flatMap((facts) => explain(facts).actions.map(({ kind }) => kind)))
  expect(Object.keys(NEXT_STEPS).filter((kind) => !offered.has(kind as never))).toEqual([])
})

test.each<[ms: number, text: string]>([
  [-5, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_999, '59 min'],
  [7_620_000, '2 h 7 min'],
  [86_400_000, '1 d 0 h'],
])('%i ms are %s', (ms, text) => {
  expect(toDuration(ms)).toBe(text)
})

test('a shortened name is not cut within a character', () => {
  expect(shorten('abc', 3)).toBe('abc')
  expect(shorten('ab😀d', 4)).toBe('ab…')
})

test('the reference has every code of an explanation', () => {
  proves('explanation.codes')
  const page = readFileSync(new URL('../../../../docs/reference/print-jobs.md', import.meta.url), 'utf8')
  const section = page.split('## Explanation')[1]?.split('| code | state |')[1] ?? ''
  const documented = [...section.matchAll(/^\| ((?:`[\w-]+`(?:, )?)+) \|/gm)].flatMap(([, codes = '']) =>
    codes.split(', ').map((code) => code.replaceAll('`', '')),
  )
  const isReason = (state: JobState, code: string) =>
    ['error', 'cancelled'].includes(state) && END_REASONS.includes(code)
  const codes = STATES.flatMap((state) => RULES[state].flatMap(({ code }) => (isReason(state, code) ? [] : code)))
  expect(documented.toSorted()).toEqual([...new Set(codes)].toSorted())
})

test('validation warns of every rule that a new job can meet, unless it refuses the job', () => {
  const none = { events: [], queue: undefined, isFetching: false }
  const asNew = ({ job, ...facts }: Facts): Facts => ({
    ...facts,
    ...none,
    job: { ...job, state: job.state === 'queued' ? 'queued' : 'received', stateReasons: [], receivedAt: undefined },
  })
  const met = CASES.filter(([state]) => ['queued', 'received', 'printing'].includes(state)).map(
    ([, , , , facts]) => explain(asNew(facts)).code,
  )
  const others = ['ready', 'at-computer', 'printer-removed', 'printer-disabled', 'waits-for-destination']
  expect(WAITING_CODES).toEqual([...new Set(met)].filter((code) => !others.includes(code)).toSorted())
})

test('the reference has every warning of a job that would wait', () => {
  const page = readFileSync(new URL('../../../../docs/reference/print-jobs.md', import.meta.url), 'utf8')
  const [, codes = ''] = /^\| (.+) \| .*<a id="validate\.waiting">/m.exec(page) ?? []
  expect(codes.replaceAll('`', '').split(', ').toSorted()).toEqual(WAITING_CODES)
})
