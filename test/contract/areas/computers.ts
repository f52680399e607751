import { type Entry, entries, NOT_BUILT } from '../entry.ts'
import {
  agentConnection,
  agentProcess,
  agents,
  badInput,
  COMPUTER_SHOWN,
  computerEvents,
  deleteComputer,
  ENROLLED_TO_DELETED,
  enrollAgent,
  enrollCommand,
  enrollments,
  enrolls,
  listOrder,
  ONLY_HASHES,
  VIRTUAL_COMPUTER,
  wholeDevices,
  wholeEnrollment,
} from '../named-tests.ts'

const DROP = agents('a drop is offline after 30 s and not before, and one that heals changes nothing')

const CLOSED = agents('a drop of 29 s leaves the computer online, and one of 30 s makes it offline')
const SILENT = agents('a stream that is open and silent for 59 s leaves the computer online, for 60 s makes it offline')

const DELETED = [
  deleteComputer('a deleted computer is gone with its printers, and its stream hears of it and is closed (replica 0)'),
  deleteComputer('a deleted computer is gone with its printers, and its stream hears of it and is closed (replica 1)'),
] as const

const JOBS_END = deleteComputer(
  'jobs that the agent has not received are cancelled, the others end in error, and all stay readable',
)

const COMPUTERS_LISTED = listOrder('computers are listed newest first, and in pages')

export const COMPUTERS: Entry[] = [
  ...entries('specification: Computer', [
    ['computer.id', 'A computer has `id`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.name', 'A computer has `name`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.hostname', 'A computer has `hostname`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.os', 'A computer has `os`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.osVersion', 'A computer has `osVersion`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.arch', 'A computer has `arch`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.agentVersion', 'A computer has `agentVersion`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.state', 'A computer has `state`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.mode', 'A computer has `mode`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
    ['computer.lastSeenAt', 'A computer has `lastSeenAt`.', VIRTUAL_COMPUTER],
    ['computer.createdAt', 'A computer has `createdAt`.', COMPUTER_SHOWN, VIRTUAL_COMPUTER],
  ]),
  ...entries('specification: Computers', [
    ['endpoint.GET /v1/computers', 'The computers of the organization and mode are listed.', VIRTUAL_COMPUTER],
    ['computers.paged', 'The list of computers is paged.', COMPUTERS_LISTED],
    ['computers.order', 'Computers are newest first by default.', COMPUTERS_LISTED],
    ['endpoint.GET /v1/computers/{id}', 'A computer is read by its id.', VIRTUAL_COMPUTER, COMPUTER_SHOWN],
    [
      'computer.get.404',
      'A computer that does not exist is a 404.',
      badInput('what does not exist is a 404 > /v1/computers/01890a5d-ac96-774b-bcce-b302099a8057'),
    ],
  ]),
  ...entries('decisions: Computers and printers', [
    ['computer.online', 'A computer is `online` once an authenticated agent stream has said hello.', VIRTUAL_COMPUTER],
    ['computer.offline.29s', 'A stream that is closed for 29 s changes nothing.', CLOSED],
    ['computer.offline.30s', 'A stream that is closed for 30 s makes the computer `offline`.', CLOSED, DROP],
    ['computer.silent.59s', 'A stream that is silent for 59 s changes nothing.', SILENT],
    ['computer.silent.60s', 'A stream that is silent for 60 s makes the computer `offline`.', SILENT],
    [
      'computer.shutdown',
      'A clean shutdown makes the computer `offline` at once.',
      agents('a clean shutdown is offline at once and leaves the printers unknown'),
    ],
    ['computer.heals.state', 'A drop that heals within 30 s changes nothing.', DROP],
    [
      'computer.heals.events',
      'A drop that heals within 30 s emits nothing.',
      computerEvents('a drop that heals within 30 s emits nothing'),
    ],
    ['endpoint.DELETE /v1/computers/{id}', 'A DELETE answers 204.', ENROLLED_TO_DELETED],
    ['computer.delete.gone', 'A deleted computer is a 404 and not in the list.', ENROLLED_TO_DELETED, ...DELETED],
    ['computer.delete.credential', 'The credential of a deleted computer is refused.', DELETED[0], DELETED[1]],
    [
      'computer.delete.stream',
      'The stream of a deleted computer is closed.',
      ...DELETED,
      deleteComputer(
        'a replica that did not hear of the deletion ends the stream at the next heartbeat, and the agent is told when it comes back',
      ),
    ],
    ['computer.delete.printers', 'The printers of a deleted computer are gone.', ENROLLED_TO_DELETED, ...DELETED],
    [
      'computer.delete.printer-events',
      'Its printers emit `printer.removed`.',
      computerEvents(
        'a deleted computer that was online is `computer.offline` once, behind `printer.removed` of each printer as it was last',
      ),
    ],
    ['computer.delete.queued', 'Its jobs in `queued` become `cancelled`.', JOBS_END],
    ['computer.delete.sent', 'Its jobs in `sent` become `cancelled`.', JOBS_END],
    ['computer.delete.received', 'Its jobs in `received` become `error`, `computer-deleted`.', JOBS_END],
    ['computer.delete.printing', 'Its jobs in `printing` become `error`, `computer-deleted`.', JOBS_END],
    ['computer.delete.history', 'Its jobs and their events stay readable.', JOBS_END, ENROLLED_TO_DELETED],
    [
      'computer.delete.twice',
      'A second DELETE is a 404.',
      ENROLLED_TO_DELETED,
      deleteComputer('of deletions at the same time one deletes, and the others find nothing'),
    ],
    [
      'computer.delete.virtual',
      'Deleting the virtual test computer is 403 `forbidden`.',
      wholeDevices('the virtual test computer cannot be deleted'),
      deleteComputer('the virtual test computer cannot be deleted'),
    ],
    ['endpoint.POST /v1/enrollments', 'An enrolment token is made; the answer is 201.', ENROLLED_TO_DELETED],
    ['enrollment.id', 'An enrolment has `id`.', ENROLLED_TO_DELETED],
    ['enrollment.token', 'An enrolment has `token`, which begins with `platen_enroll_`.', ENROLLED_TO_DELETED],
    ['enrollment.expiresAt', 'An enrolment has `expiresAt`.', ENROLLED_TO_DELETED],
    ['enrollment.maxUses', 'An enrolment has `maxUses`.', ENROLLED_TO_DELETED],
    ['enrollment.dashboard', 'An admin makes an enrolment token in the dashboard.', NOT_BUILT],
    [
      'enrollment.token.shown-once',
      'The token is in the creating answer alone.',
      enrolls('of tokens and credentials the database has the SHA-256 alone'),
    ],
    [
      'enrollment.default.uses',
      'A token is good for one use by default.',
      enrollments('by default one use and 15 minutes'),
      ENROLLED_TO_DELETED,
    ],
    [
      'enrollment.default.expiry',
      'A token is good for 15 minutes by default.',
      enrollments('by default one use and 15 minutes'),
      ENROLLED_TO_DELETED,
    ],
    ['enrollment.maxUses.0', '`maxUses` 0 is a 400.', enrollments('maxUses 0 is a 400')],
    ['enrollment.maxUses.1', '`maxUses` 1 is accepted.', enrollments('1 use')],
    ['enrollment.maxUses.1000', '`maxUses` 1000 is accepted.', enrollments('1000 uses')],
    ['enrollment.maxUses.1001', '`maxUses` 1001 is a 400.', enrollments('maxUses 1001 is a 400')],
    ['enrollment.expiresInSeconds.59', '`expiresInSeconds` 59 is a 400.', enrollments('expiresInSeconds 59 is a 400')],
    ['enrollment.expiresInSeconds.60', '`expiresInSeconds` 60 is accepted.', enrollments('60 seconds')],
    ['enrollment.expiresInSeconds.604800', '`expiresInSeconds` 604800 is accepted.', enrollments('604800 seconds')],
    [
      'enrollment.expiresInSeconds.604801',
      '`expiresInSeconds` 604801 is a 400.',
      enrollments('expiresInSeconds 604801 is a 400'),
    ],
    ['enrollment.test-key', 'A test key is 422 `mode_mismatch`.', enrollments('a test key is a 422')],
    [
      'enrollment.used-up',
      'A token that is used up is refused.',
      enrolls('a token for 1 uses is good for as many computers, however many come at once'),
      enrolls('a token for 7 uses is good for as many computers, however many come at once'),
    ],
    ['enrollment.expired', 'A token that is expired is refused.', enrolls('a token ends with its time, to the second')],
    [
      'enrollment.unknown',
      'A token that does not exist is refused.',
      enrolls('a token that does not exist is refused'),
    ],
    [
      'agent.credential.own',
      'The agent trades the token for a credential that is bound to one computer.',
      enrollAgent('a token is traded for a credential, and the agent hears where it connects'),
      wholeEnrollment('a token, one command and another one lead to a computer that prints'),
    ],
    [
      'endpoint.POST /v1/agents/enroll',
      'An agent trades an enrolment token; the answer is 201.',
      enrollAgent('a token is traded for a credential, and the agent hears where it connects'),
      wholeEnrollment('tokens that are wrong or used up are refused in the words of the service'),
    ],
    [
      'agent.credential.file',
      'The credential is stored readable by its owner alone.',
      enrollCommand('a token becomes a credential in a file of 0600, and travels in no URL and no body'),
    ],
    ['agent.credential.hash', 'The server keeps a hash of the credential alone.', ONLY_HASHES],
    ['agent.credential.wrong', 'A wrong credential is refused.', agents('a wrong credential is refused')],
    [
      'agent.enroll-again',
      "Enrolling again from the same data directory keeps the computer's id.",
      wholeEnrollment(
        'enrolled again from the same data directory it is the same computer, and its older credential is none',
      ),
    ],
    [
      'agent.server',
      'The agent is given `--server` and learns the address of the agents from it.',
      enrollAgent('agents connect to the address that is configured, or beside the one that they enrol at'),
      wholeEnrollment('a token, one command and another one lead to a computer that prints'),
    ],
    [
      'agent.data-dir',
      '`--data-dir` works on every command.',
      enrollCommand('every command takes the data directory that it is told'),
    ],
    [
      'agent.superseded.told',
      'An agent that is superseded hears of it.',
      agents('the newest stream of a computer wins, and the older one hears that it is superseded (replica 0)'),
      agents('the newest stream of a computer wins, and the older one hears that it is superseded (replica 1)'),
    ],
    [
      'agent.superseded.exit',
      'It says so, stops reconnecting and exits non-zero.',
      agentProcess('Superseded and a credential that is not valid end the process with 3'),
      agentConnection('Superseded stops the agent'),
      wholeEnrollment(
        'of two computers that were cloned with one credential the older agent says so, ends with 3 and stays away',
      ),
    ],
    [
      'agent.deleted.exit',
      'An agent whose computer was deleted does the same.',
      agentProcess('an agent whose computer was deleted says so and ends with 3'),
      agentConnection('Computer deleted stops the agent'),
    ],
  ]),
]
