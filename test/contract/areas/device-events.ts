import { type Entry, entries } from '../entry.ts'
import { computerEvents, printerEvents } from '../named-tests.ts'

const ON_AND_OFF =
  'a hello is `computer.online` and a clean shutdown `computer.offline`, each with the computer as it is read then'
const ON_AND_OFF_LIVE = computerEvents(`${ON_AND_OFF} (live)`)
const ON_AND_OFF_TEST = computerEvents(`${ON_AND_OFF} (test)`)
const ADDED =
  'the first report of a printer is `printer.added`, with the printer as it is read but for its capabilities'
const GONE_AND_BACK = printerEvents(
  'a printer that is missing from a report is `printer.removed`, and `printer.added` when it is back, with its id and edited fields',
)
const FOR_10_S = printerEvents('a state that differs for 10 s is an event, for 9 s it is none')
const PATCHED = printerEvents(
  'a PATCH is `printer.updated` when it changes something, also while nobody knows the state',
)
const reportedChange = (what: string) =>
  printerEvents(`a reported change of \`${what}\` is \`printer.updated\` at once`)

export const DEVICE_EVENTS: Entry[] = [
  ...entries('decisions: Computers and printers', [
    [
      'event.computer.online',
      '`computer.online` is emitted when a computer becomes `online`.',
      ON_AND_OFF_LIVE,
      ON_AND_OFF_TEST,
    ],
    [
      'event.computer.offline',
      '`computer.offline` is emitted when a computer becomes `offline`.',
      ON_AND_OFF_LIVE,
      ON_AND_OFF_TEST,
      computerEvents('a computer with 50 printers that drops for 30 s is one event, and one when it is back'),
    ],
    [
      'event.computer.change-alone',
      'A hello of a computer that is `online` emits nothing.',
      computerEvents('a hello of a computer that is online emits nothing, on whichever replica'),
      computerEvents(
        'a replica that stops while 20 agents are connected, and their coming back to another one, emits nothing',
      ),
    ],
    [
      'event.printer.added',
      '`printer.added` is emitted at the first report of a printer.',
      printerEvents(`${ADDED} (test)`),
      printerEvents(`${ADDED} (live)`),
    ],
    ['event.printer.added.again', '`printer.added` is emitted when a removed printer is back.', GONE_AND_BACK],
    [
      'event.printer.removed',
      '`printer.removed` is emitted when a printer is missing from a complete report.',
      GONE_AND_BACK,
    ],
    [
      'event.printer.removed.computer',
      '`printer.removed` is emitted when the computer is deleted.',
      computerEvents(
        'a deleted computer that was online is `computer.offline` once, behind `printer.removed` of each printer as it was last',
      ),
      computerEvents('a deleted computer that was offline is no event, and its printers go from `unknown`'),
    ],
    ['event.printer.online', '`printer.online` is emitted when a printer is reported online for 10 s.', FOR_10_S],
    [
      'event.printer.offline',
      '`printer.offline` is emitted when a printer is reported offline for 10 s.',
      FOR_10_S,
      printerEvents('the 10 s count from the first report of the other state, however often it is said'),
    ],
    [
      'event.printer.state.9s',
      'A state that differs for less than 10 s emits nothing.',
      FOR_10_S,
      printerEvents('a printer that goes and comes back within 10 s emits nothing, however often'),
    ],
    [
      'event.printer.unknown',
      'While its computer is offline a printer emits nothing.',
      printerEvents(
        'while its computer is offline a printer emits nothing, and what differs then counts from its coming back',
      ),
    ],
    ['event.printer.updated', '`printer.updated` is emitted by a PATCH.', PATCHED],
    [
      'event.printer.updated.reported',
      '`printer.updated` is emitted by a reported change of anything but `state`.',
      reportedChange('description'),
      reportedChange('name'),
      reportedChange('isDefault'),
      reportedChange('stateDetail and stateReasons'),
      reportedChange('capabilities'),
    ],
    ['event.printer.updated.state', 'A change of `state` alone emits no `printer.updated`.', FOR_10_S],
    ['event.printer.updated.empty', 'A PATCH that changes nothing emits nothing.', PATCHED],
  ]),
]
