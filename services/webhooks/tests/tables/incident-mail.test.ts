/** What alerts say. */
import { ALERT_KIND_NAMES } from '@platen/resources/alert-kinds.ts'
import { expect, test } from 'vitest'
import { type MailFacts, type Shown, toIncidentMail } from '../../alerts/incident-mail.ts'

const SHOWN: Shown = {
  kind: 'computer_offline',
  resourceId: 'resource',
  jobId: null,
  mode: 'live',
  since: new Date('2026-01-02T03:04:05Z'),
  solvedAt: null,
  computer: 'Packing-3',
  printer: 'Label 2',
  endpoint: 'user.example.com:8443',
  detail: 'Tray 2 is empty',
  jobs: 1,
  explanation: undefined,
}

const toMail = (facts: Partial<MailFacts>) =>
  toIncidentMail({
    ...{ organization: { id: 'org', name: 'Corner shop' }, problems: [], solved: [], omitted: 0 },
    ...{ publicUrl: 'https://print.example.com', ...facts },
  })

const SUBJECTS = {
  computer_offline: [
    'Computer Packing-3 has been offline since 2026-01-02 03:04 UTC',
    'Solved: Computer Packing-3 is online again',
  ],
  agent_outdated: [
    'The agent on computer Packing-3 is older than this installation. Its version is Tray 2 is empty',
    'Solved: The agent on computer Packing-3 is no longer older than this installation',
  ],
  printer_offline: [
    'Printer Label 2 at computer Packing-3 has been offline since 2026-01-02 03:04 UTC',
    'Solved: Printer Label 2 at computer Packing-3 is online again',
  ],
  printer_attention: [
    'Printer Label 2 at computer Packing-3 needs attention: Tray 2 is empty',
    'Solved: Printer Label 2 at computer Packing-3 no longer needs attention',
  ],
  destination_unavailable: [
    'No printer of destination Label 2 is available since 2026-01-02 03:04 UTC: Tray 2 is empty',
    'Solved: A printer of destination Label 2 is available again',
  ],
  job_waiting: [
    'A job for printer Label 2 has been waiting since 2026-01-02 03:04 UTC',
    'Solved: No job waits too long for printer Label 2',
  ],
  job_failed: ['A job for printer Label 2 failed', 'Solved: Printer Label 2 has printed a later job'],
  endpoint_failing: [
    'Webhook endpoint user.example.com:8443 has been failing since 2026-01-02 03:04 UTC',
    'Solved: Webhook endpoint user.example.com:8443 no longer fails',
  ],
  endpoint_disabled: [
    'Webhook endpoint user.example.com:8443 was disabled, because all its deliveries failed',
    'Solved: Webhook endpoint user.example.com:8443 is enabled again',
  ],
}

test.each(ALERT_KIND_NAMES)('the subject of one incident is what is wrong, or solved (%s)', (kind) => {
  const shown = { ...SHOWN, kind }
  expect([toMail({ problems: [shown] }).subject, toMail({ solved: [shown] }).subject]).toEqual(SUBJECTS[kind])
})

test('a mail has the problem, what to do, links, and the page that switches it off', () => {
  expect(toMail({ problems: [SHOWN] }).text).toBe(`Computer Packing-3 has been offline since 2026-01-02 03:04 UTC.
- Switch computer Packing-3 on and check its network.
- Run \`platen-agent doctor\` on computer Packing-3.
https://print.example.com/app/go/resource

You receive this e-mail because of your alerts in Corner shop.

Change them or switch them off:
https://print.example.com/app/live/alerts?org=org
`)
})

test('a computer whose agent is refused leads to its enrolment', () => {
  const { subject, text } = toMail({ problems: [{ ...SHOWN, detail: 'unauthorized' }] })
  expect(subject).toBe('The agent of computer Packing-3 is refused, because its credential was replaced')
  expect(text).toContain('\n- Enrol computer Packing-3 again: Add a computer in the dashboard has the command.\n')
})

test.each([
  ['status 503', 'the response was not successful (HTTP status 503)', 'Respond with a 2xx status.'],
  ['tls', 'the certificate is not trusted', 'Check its validity, its chain and its host name.'],
])('a failing endpoint has the cause of its last failure and what to do (%s)', (detail, cause, todo) => {
  const { text } = toMail({ problems: [{ ...SHOWN, kind: 'endpoint_failing', detail }] })
  expect(
    text.split('\n\n')[0],
  ).toBe(`Webhook endpoint user.example.com:8443 has been failing since 2026-01-02 03:04 UTC: ${cause}.
- ${todo}
- Without a successful delivery the endpoint will be disabled.
https://print.example.com/app/go/resource`)
})

test('a failed job has its explanation instead, and the end of the failures if it is known', () => {
  const explanation = {
    title: 'Invoice',
    headline: 'Not printed',
    cause: 'The document is too large.',
    actions: ['Wait.'],
  }
  const failed: Shown = { ...SHOWN, kind: 'job_failed', jobId: 'job', jobs: 3, solvedAt: SHOWN.since, explanation }
  const { subject, text } = toMail({ problems: [failed] })
  expect(subject).toBe('3 jobs for printer Label 2 failed')
  expect(text.split('\n\n')[0]).toBe(`3 jobs for printer Label 2 failed.
Job "Invoice": Not printed. The document is too large.
Printer Label 2 has printed a later job.
- Wait.
https://print.example.com/app/go/job`)
})

test('a digest counts all incidents, shows problems before solved ones, and says how many it does not show', () => {
  const solved: Shown = { ...SHOWN, mode: 'test', solvedAt: SHOWN.since }
  const { subject, text } = toMail({ problems: [SHOWN, SHOWN], solved: [solved], omitted: 7 })
  expect(subject).toBe('10 alerts in Corner shop')
  expect(text.split('\n\n').slice(2, 5)).toEqual([
    'Solved:',
    'Computer Packing-3 is online again. (test mode)\nhttps://print.example.com/app/go/resource',
    '7 more are not shown here.',
  ])
  expect(text).toContain('/app/live/alerts')
  expect(toMail({ solved: [solved] }).text).toContain('/app/test/alerts')
})

test('without the address of the dashboard a mail has no link', () => {
  expect(toMail({ problems: [SHOWN], solved: [SHOWN], publicUrl: undefined }).text).not.toMatch(/http|switch them off/)
})

test('names, states and titles are one line of at most 60 characters, and explanations are one line', () => {
  const long = 'x'.repeat(70)
  const explanation = { title: 'a\r\nb', headline: 'Not printed', cause: 'Cause\n\nb.', actions: ['Enable a\rb.'] }
  const shown: Shown = { ...SHOWN, kind: 'printer_attention', printer: long, computer: 'a\u2028b\u202Ec', explanation }
  const { text } = toMail({ problems: [shown], organization: { id: 'org', name: 'Shop\n\nhttps://evil.example' } })
  const [line = ''] = text.split('\n')
  expect(line).toBe(`Printer ${'x'.repeat(60)} … at computer a b c needs attention: Tray 2 is empty.`)
  expect(text).toContain('Job "a b": Not printed. Cause b.\n- Enable a b.\n')
  expect(text).toContain('your alerts in Shop https://evil.example.')
})
